import { checkDepth, type JsonObject, type JsonValue } from './attributes.ts';
import { InvalidInputError } from './errors.ts';
import { parseHints } from './hints.ts';
import { parseInstant } from './instant.ts';
import type { PageWrite } from './memory-writer.ts';
import type { PageKind, ProjectId, Sensitivity } from './page.ts';
import { sensitivityRank } from './page.ts';
import { parsePagePath } from './page-path.ts';
import { parseWhole } from './parse-number.ts';
import { parseStoredText, type Redactor } from './redaction.ts';
import { toShown } from './shown-text.ts';
import { parseText } from './text-input.ts';

/** Longest title, characters. */
export const MAX_TITLE_CHARACTERS = 300;
/** Longest body, bytes of UTF-8. */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_TAGS = 32;
/** Longest tag, characters. */
export const MAX_TAG_CHARACTERS = 64;
/** Largest attributes, bytes of their JSON. */
export const MAX_ATTRIBUTE_BYTES = 16 * 1024;
export const DEFAULT_IMPORTANCE = 5;

/** A page as a caller writes it; null means left out. */
export type PageInput = {
  readonly projectId: ProjectId;
  readonly path: string;
  readonly title: string;
  readonly body?: string | null | undefined;
  readonly kind?: PageKind | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly attributes?: JsonObject | null | undefined;
  readonly sensitivity?: Sensitivity | null | undefined;
  /** 1 to 10. */
  readonly importance?: number | null | undefined;
  readonly hints?: readonly string[] | null | undefined;
  readonly archived?: boolean | null | undefined;
  /** RFC 3339 with an offset. */
  readonly validFrom?: string | null | undefined;
  readonly validTo?: string | null | undefined;
  readonly expectedVersion?: number | null | undefined;
};

/** The part of a write that the input alone decides. */
export type ParsedPage = Pick<
  PageWrite,
  | 'projectId'
  | 'path'
  | 'title'
  | 'body'
  | 'kind'
  | 'tags'
  | 'attributes'
  | 'sensitivity'
  | 'hasSensitivity'
  | 'importance'
  | 'hints'
  | 'archived'
  | 'validFrom'
  | 'validTo'
  | 'hasValidTime'
  | 'expectedVersion'
>;

/**
 * Checks a page and fills in what was left out. Text is kept byte for byte, but for the path (NFC)
 * and for secrets, which are redacted before anything is made of the text.
 *
 * @param field      prefix of field names in errors: empty, or `pages.3.`
 * @param clearance  of the caller, 0 to 3: they may not write above it
 * @throws {InvalidInputError} naming the field and the rule
 * @throws {HintsDisabledError} if it carries hints while the gate is closed
 */
export function parsePageInput(
  input: PageInput,
  { field, clearance, hintsEnabled, redactor }: PageRules,
): ParsedPage {
  const named = (name: string) => `${field}${name}`;
  const time = parseValidTime(input, field);
  const sensitivity = sensitivityRank(input.sensitivity ?? 'INTERNAL');
  if (sensitivity > clearance) {
    throw new InvalidInputError(
      named('sensitivity'),
      'a sensitivity within your clearance',
      input.sensitivity ?? 'INTERNAL',
    );
  }
  return {
    projectId: input.projectId,
    path: parsePagePath(input.path, named('path')),
    title: parseStoredText(input.title, {
      field: named('title'),
      allowBlank: false,
      maxCharacters: MAX_TITLE_CHARACTERS,
      redactor,
    }),
    body: parseStoredText(input.body ?? '', {
      field: named('body'),
      maxBytes: MAX_BODY_BYTES,
      redactor,
    }),
    kind: input.kind ?? 'NOTE',
    tags: parseTags(input.tags ?? [], named('tags'), redactor),
    attributes: parseAttributes(input.attributes ?? {}, named('attributes'), redactor),
    sensitivity,
    hasSensitivity: input.sensitivity != null,
    importance: parseWhole(input.importance ?? DEFAULT_IMPORTANCE, [1, 10], named('importance')),
    hints: parseHints(input.hints, named('hints'), { isEnabled: hintsEnabled, redactor }),
    archived: input.archived ?? false,
    ...time,
    expectedVersion:
      input.expectedVersion == null
        ? null
        : parseWhole(input.expectedVersion, [0, 2_147_483_647], named('expectedVersion')),
  };
}

export type PageRules = {
  readonly field: string;
  readonly clearance: number;
  readonly hintsEnabled: () => boolean;
  readonly redactor: Redactor;
};

/** Valid time as given. @throws {InvalidInputError} unless it begins before it ends */
export function parseValidTime(
  input: Pick<PageInput, 'validFrom' | 'validTo'>,
  field: string,
): { validFrom: number | null; validTo: number | null; hasValidTime: boolean } {
  const { validFrom: from, validTo: to } = input;
  const validFrom = from == null ? null : parseInstant(from, `${field}validFrom`);
  const validTo = to == null ? null : parseInstant(to, `${field}validTo`);
  if (validFrom !== null && validTo !== null && validFrom >= validTo) {
    throw new InvalidInputError(`${field}validTo`, 'an instant after validFrom', to ?? '');
  }
  return { validFrom, validTo, hasValidTime: validFrom !== null || validTo !== null };
}

function parseTags(tags: readonly string[], field: string, redactor: Redactor): readonly string[] {
  const parsed = tags.map((tag, index) =>
    parseStoredText(tag, {
      field: `${field}.${index}`,
      allowBlank: false,
      maxCharacters: MAX_TAG_CHARACTERS,
      redactor,
    }),
  );
  const distinct = [...new Set(parsed)];
  if (distinct.length > MAX_TAGS) {
    throw new InvalidInputError(field, `at most ${MAX_TAGS} tags`, `${distinct.length} tags`);
  }
  return distinct;
}

function parseAttributes(attributes: JsonObject, field: string, redactor: Redactor): JsonObject {
  checkDepth(attributes, field);
  const parsed = parseObject(attributes, field, redactor);
  // A mark may be longer than its secret, or shorter.
  for (const json of [attributes, parsed]) {
    const bytes = Buffer.byteLength(JSON.stringify(json));
    if (bytes > MAX_ATTRIBUTE_BYTES) {
      const expected = `at most ${MAX_ATTRIBUTE_BYTES} bytes of JSON`;
      throw new InvalidInputError(field, expected, `${bytes} bytes`);
    }
  }
  return parsed;
}

function parseObject(object: JsonObject, field: string, redactor: Redactor): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => {
    const kept = parseStoredText(name, { field, redactor });
    return [
      kept,
      parseValue(value, kept, { field: `${field}.${toShown(kept)}`, redactor }),
    ] as const;
  });
  const parsed: JsonObject = Object.fromEntries(entries);
  if (Object.keys(parsed).length < entries.length) {
    throw new InvalidInputError(field, 'names that differ once secrets are redacted', 'equal ones');
  }
  return parsed;
}

/** Postgres takes no NUL and no lone surrogate in JSON, be it in a value or in a name. */
function parseValue(
  value: JsonValue,
  name: string,
  { field, redactor }: { readonly field: string; readonly redactor: Redactor },
): JsonValue {
  if (typeof value === 'string') return redactor.redactNamed(name, parseText(value, { field }));
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new InvalidInputError(field, 'a finite number', String(value));
  }
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) {
    return value.map((inner, index) =>
      parseValue(inner, name, { field: `${field}.${index}`, redactor }),
    );
  }
  return parseObject(value, field, redactor);
}

/** `Array.isArray` does not tell a readonly list from an object. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
