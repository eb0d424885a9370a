import { checkDepth, type JsonObject } from './attributes.ts';
import { InvalidInputError, LimitExceededError } from './errors.ts';
import type { PageFilter } from './page-store.ts';
import { parseText } from './text-input.ts';

/** Most ids of a filter: a search compares each of its candidates with all of them. */
export const MAX_FILTER_IDS = 1_000;

/**
 * Checks what a filter asks for, so that no store meets text that it cannot hold. Ids, kinds and
 * paths are parsed by whoever read them.
 *
 * @param named  where a condition stood in what the caller sent, as a dotted path
 * @throws {InvalidInputError} naming the condition
 * @throws {LimitExceededError} naming `people`, `includeIds`, `excludeIds` or `subjects`, for more than 1,000
 */
export function parsePageFilter(
  filter: PageFilter,
  named: (condition: string) => string = (condition) => `filter.${condition}`,
): PageFilter {
  for (const name of ['people', 'includeIds', 'excludeIds', 'subjects'] as const) {
    const count = filter[name]?.length ?? 0;
    if (count > MAX_FILTER_IDS) throw new LimitExceededError(named(name), MAX_FILTER_IDS, count);
  }
  for (const [index, tag] of (filter.tags ?? []).entries()) {
    parseText(tag, { field: named(`tags.${index}`) });
  }
  if (filter.attributes) checkAttributes(filter.attributes, named('attributes'));
  const { sensitivityCeiling: ceiling } = filter;
  if (ceiling !== undefined && !(Number.isInteger(ceiling) && ceiling >= 0 && ceiling <= 3)) {
    const expected = 'a whole number from 0 to 3';
    throw new InvalidInputError(named('sensitivityCeiling'), expected, String(ceiling));
  }
  return filter;
}

/** The replacer is shown every name and every value, however deep. */
function checkAttributes(attributes: JsonObject, field: string): void {
  checkDepth(attributes, field);
  JSON.stringify(attributes, (name, value) => {
    parseText(name, { field });
    if (typeof value === 'string') parseText(value, { field });
    return value;
  });
}
