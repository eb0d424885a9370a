import { createHash } from 'node:crypto';

/** What has one JSON text: no dates, maps or sets, which would all be written alike. */
export type Canonical =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Canonical[]
  | { readonly [name: string]: Canonical };

/**
 * JSON with the names of every object in order and without what is undefined, so that equal values
 * give equal texts, however they were put together.
 */
export function canonicalJson(value: Canonical): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** SHA-256 of the canonical JSON, 64 hexadecimal digits. */
export function digestOf(value: Canonical): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** Whether two values have one canonical JSON, without writing it; undefined is null. */
export function isSame(a: Canonical, b: Canonical): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (left === null || right === null) return false;
  if (isList(left) || isList(right)) {
    if (!isList(left) || !isList(right) || left.length !== right.length) return false;
    return left.every((item, index) => item === right[index] || isSame(item, right[index]));
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isAlike(left, right, name));
}

/** An object has no null where it has nothing: both are told apart in its JSON. */
function isAlike(
  left: { readonly [name: string]: Canonical },
  right: { readonly [name: string]: Canonical },
  name: string,
): boolean {
  const [a, b] = [own(left, name), own(right, name)];
  return (a === undefined) === (b === undefined) && isSame(a, b);
}

/** Names come from outside: `__proto__` may be one. */
function own(object: { readonly [name: string]: Canonical }, name: string): Canonical {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isList(value: Canonical): value is readonly Canonical[] {
  return Array.isArray(value);
}
