import { DAWN, FOREVER } from './instant.ts';
import type { WriteOutcome } from './memory-writer.ts';
import type { PageKind } from './page.ts';

/** What makes two contents the same: hints, tags, attributes and importance do not count. */
type Content = { readonly kind: PageKind; readonly title: string; readonly body: string };

/** Valid time as stores keep it: `DAWN` for since ever, `FOREVER` for open. */
export type ValidTime = { readonly validFrom: number; readonly validTo: number };

/** Valid time as callers say it, with null for an open end, to what stores keep. */
export function toValidTime(from: number | null, to: number | null): ValidTime {
  return { validFrom: from ?? DAWN, validTo: to ?? FOREVER };
}

/**
 * What a write of a page comes to. Identical content is a reconsolidation, unless the write gives
 * another valid time than the current version has: then the same fact holds in another interval,
 * which is a version of its own.
 */
export function decideOutcome(
  current: (Content & ValidTime) | null,
  write: Content & { readonly validTime: ValidTime | null },
): WriteOutcome {
  if (current === null) return 'CREATED';
  const isSame =
    current.kind === write.kind && current.title === write.title && current.body === write.body;
  const isSameTime =
    write.validTime === null ||
    (write.validTime.validFrom === current.validFrom &&
      write.validTime.validTo === current.validTo);
  return isSame && isSameTime ? 'RECONSOLIDATED' : 'REVISED';
}

/**
 * Whether a version says all that the one before said, and perhaps more: the same kind and title, and
 * each line of the old body still there, in its order. White space at the ends of lines and blank lines do not
 * count. Anything else takes the place of what was believed.
 */
export function extendsContent(newer: Content, older: Content): boolean {
  if (newer.kind !== older.kind || newer.title !== older.title) return false;
  const kept = linesOf(newer.body);
  let at = 0;
  return linesOf(older.body).every((line) => {
    at = kept.indexOf(line, at) + 1;
    return at > 0;
  });
}

function linesOf(body: string): readonly string[] {
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * From when the evidence of a page counts for a new version, milliseconds UTC: for one that extends
 * the one before from then on as well, else from when it is recorded on.
 */
export function believedSince(
  current: (Content & { readonly believedSince: number }) | null,
  write: Content,
  recordedAt: number,
): number {
  if (current === null) return DAWN;
  return extendsContent(write, current) ? current.believedSince : recordedAt;
}

/**
 * When a version counts as recorded: now, but always after the one before, so that two writes of one
 * page in the same millisecond are strictly ordered and each can be read by its time.
 */
export function nextRecordedAt(now: number, newest: number | null): number {
  return newest === null ? now : Math.max(now, newest + 1);
}

/**
 * Whether a newer version takes the place of an older one for good: it says the same interval anew
 * (same beginning), or covers it whole. An open end covers nothing by itself: 'since January', told
 * after 'since June', leaves June's fact to hold from June on. What holds since ever covers all.
 * Others stand side by side, each true in its own time; where two overlap, see `holdsAt`.
 */
export function replaces(newer: ValidTime, older: ValidTime): boolean {
  return (
    newer.validFrom === older.validFrom ||
    (newer.validFrom <= older.validFrom &&
      older.validTo <= newer.validTo &&
      (newer.validFrom === DAWN || newer.validTo !== FOREVER))
  );
}

/**
 * Which of the versions that stand side by side holds at an instant; null when none is true then.
 *
 * The later recorded one: a correction wins, whatever it overlaps. But one without an end, 'since
 * January', says no more than what it began with, so it leaves what began later to hold.
 *
 * @param versions  as they were recorded, oldest first, without those that were replaced
 */
export function holdsAt<Version extends ValidTime>(
  versions: readonly Version[],
  instant: number,
): Version | null {
  return versions
    .filter(({ validFrom, validTo }) => validFrom <= instant && instant < validTo)
    .reduce<Version | null>((held, version) => {
      const isOpen = version.validTo === FOREVER && version.validFrom !== DAWN;
      return isOpen && held !== null && version.validFrom < held.validFrom ? held : version;
    }, null);
}
