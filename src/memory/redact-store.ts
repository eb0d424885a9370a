import type { JsonObject, JsonValue } from './attributes.ts';
import type { Redactor } from './redaction.ts';

/** Where texts are stored. */
export const TEXT_PLACES = [
  'project',
  'page',
  'page_version',
  'edge',
  'edge_resolution',
  'waiting_edge',
  'session',
  'observation',
  'person',
  'idempotency_key',
  'audit',
] as const;
export type TextPlace = (typeof TEXT_PLACES)[number];

/** The texts of one row by their columns, with what tells the row from others. */
export type StoredTexts = { readonly key: JsonObject; readonly texts: JsonObject };

/** For an operator: all tenants. */
export type TextStore = {
  countRows(): Promise<number>;
  /** Rows of a place behind a key, in the order of keys; at most `first`. */
  list(place: TextPlace, after: JsonObject | null, first: number): Promise<readonly StoredTexts[]>;
  /**
   * Puts texts in the place of those that were read, and carries them to the graph. What was written
   * anew meanwhile stays: it went through redaction.
   *
   * @returns whether they took the place
   */
  replace(place: TextPlace, old: StoredTexts, texts: JsonObject): Promise<boolean>;
};

export type RedactCounts = {
  /** Rows looked at. */
  readonly rows: number;
  /** Rows that had a secret, by place. */
  readonly changed: { readonly [Place in TextPlace]?: number };
  /** Secrets that were found, by kind. */
  readonly secrets: { readonly [kind: string]: number };
};

/** Rows read at once: bounds memory to some megabytes for bodies of usual length. */
const BATCH = 100;

/**
 * Redacts what was stored before a pattern was there: current texts, past versions, notes, and what is
 * kept of answers. Indexes are not made anew here, see `reindex`. Reads and writes go on meanwhile;
 * stopped half-way, it may be started again.
 *
 * @param progress  called after each batch with the counts so far
 */
export async function redactStore(
  { texts, redactor }: { readonly texts: TextStore; readonly redactor: Redactor },
  progress: (counts: RedactCounts) => void = () => {},
): Promise<RedactCounts> {
  let rows = 0;
  const changed: { [Place in TextPlace]?: number } = {};
  const secrets = new Map<string, number>();
  const counts = (): RedactCounts => ({ rows, changed, secrets: Object.fromEntries(secrets) });

  for (const place of TEXT_PLACES) {
    let after: JsonObject | null = null;
    for (;;) {
      const batch: readonly StoredTexts[] = await texts.list(place, after, BATCH);
      for (const row of batch) {
        const redacted = redactRow(row.texts, redactor);
        if (JSON.stringify(redacted) === JSON.stringify(row.texts)) continue;
        if (!(await texts.replace(place, row, redacted))) continue;
        changed[place] = (changed[place] ?? 0) + 1;
        countMarks(redacted, 1, secrets);
        countMarks(row.texts, -1, secrets);
      }
      rows += batch.length;
      progress(counts());
      if (batch.length < BATCH) break;
      after = batch.at(-1)?.key ?? null;
    }
  }
  return counts();
}

/** A column that is a list is a set, of tags or hints: what became equal is kept once. */
function redactRow(texts: JsonObject, redactor: Redactor): JsonObject {
  const columns = Object.entries(redactObject(texts, redactor)).map(
    ([column, value]) => [column, isList(value) ? [...new Set(value)] : value] as const,
  );
  return Object.fromEntries(columns);
}

function redactObject(object: JsonObject, redactor: Redactor): JsonObject {
  const redacted = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object)) {
    const kept = redactor.redact(name);
    // Two names that become one keep both values, as a secret alone must go.
    const free = redacted.has(kept) ? `${kept} ${redacted.size}` : kept;
    redacted.set(free, redactValue(value, kept, redactor));
  }
  return Object.fromEntries(redacted);
}

function redactValue(value: JsonValue, name: string, redactor: Redactor): JsonValue {
  if (typeof value === 'string') return redactor.redactNamed(name, value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((inner) => redactValue(inner, name, redactor));
  return redactObject(value, redactor);
}

/** `Array.isArray` does not tell a readonly list from an object. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function countMarks(texts: JsonObject, sign: 1 | -1, secrets: Map<string, number>): void {
  for (const [, kind = ''] of JSON.stringify(texts).matchAll(/\[REDACTED:([a-z_]{1,40})\]/gu)) {
    const count = (secrets.get(kind) ?? 0) + sign;
    if (count === 0) secrets.delete(kind);
    else secrets.set(kind, count);
  }
}
