import { builder } from './builder.ts';
import { PageKindRef, SensitivityRef } from './enums.ts';

export const PageInputRef = builder.inputType('PageInput', {
  description:
    'A page to write. What is left out takes its default: a write says all of a page. Secrets in its texts are stored as `[REDACTED:<kind>]`; limits hold before and after.',
  fields: (t) => ({
    project: t.string({
      description: 'The exact name of its project, where it is not that of the whole write.',
    }),
    path: t.string({
      required: true,
      description:
        'Its path in the project: segments joined by `/`, at most 512 bytes; none of them empty, `.` or `..`.',
    }),
    title: t.string({ required: true, description: 'Not blank; at most 300 characters.' }),
    body: t.string({
      description:
        'Markdown, at most 1 MiB; empty when left out. Links in it become edges: `[[path]]`, `[[project:path]]` and Markdown links to paths give `REFERENCES`; a list item that starts with a kind (`- fixes [[path]]`) or an inline field (`causes:: [[path]]`) gives a typed edge. A link to a page that is not there waits for it. At most 2,000 different links.',
    }),
    kind: t.field({ type: PageKindRef, description: '`NOTE` when left out.' }),
    tags: t.stringList({
      description:
        'At most 32 of at most 64 characters. They replace those before; left out: none.',
    }),
    attributes: t.field({
      type: 'JSONObject',
      description: 'At most 16 KiB. They replace those before; left out: none.',
    }),
    sensitivity: t.field({
      type: SensitivityRef,
      description:
        '`INTERNAL` when left out for a new page, else what the page has; not above your clearance.',
    }),
    importance: t.int({ description: '1 to 10; 5 when left out.' }),
    hints: t.stringList({
      description:
        'Up to 3 questions that the page answers, each at most 200 bytes, for keyword recall. Refused while the server takes none.',
    }),
    archived: t.boolean({ description: 'Puts the page away; false when left out.' }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'Since when it is true, inclusive; left out: since ever.',
    }),
    validTo: t.field({
      type: 'DateTime',
      description: 'Until when it is true, exclusive; left out: open.',
    }),
    expectedVersion: t.int({
      description:
        'The version that you have seen, 0 for none: when another is current, the write is refused.',
    }),
  }),
});

export const IDEMPOTENCY_KEY =
  'Makes a retry safe: the same key with the same input gets the first answer, with other input an error, and after a purge of one of its pages too. Kept for seven days. At most 255 bytes.';

export const RECORDING_SESSION =
  'The session that records the pages, which must not have ended: each page gets a place in its order, and the session as evidence.';
