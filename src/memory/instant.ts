import { InvalidInputError } from './errors.ts';
import { quoteText } from './shown-text.ts';

/** 0001-01-01T00:00:00Z, milliseconds UTC: the first instant, and 'since ever' in a store. */
export const DAWN = -62_135_596_800_000;

/** 10000-01-01T00:00:00Z, milliseconds UTC: just past the last instant, and 'open' in a store. */
export const FOREVER = 253_402_300_800_000;

const MINUTE_MS = 60_000;

const SHAPE =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?<offset>[Zz]|(?<sign>[+-])(?<offsetHour>\d\d):(?<offsetMinute>\d\d))?$/;

/**
 * An RFC 3339 instant as whole milliseconds UTC, DAWN to FOREVER - 1. A fraction may have any
 * number of digits; what is past the millisecond is cut.
 *
 * @param field  where it came from, as a dotted path
 * @throws {InvalidInputError} naming `field` and the rule: no offset; no such day, time or offset;
 * a leap second; outside the years 0001 to 9999; or no RFC 3339 at all
 *
 * Source: RFC 3339, section 5.6. Leap seconds are refused because a count of milliseconds has no
 * place for them; the offset -00:00 is read as UTC.
 */
export function parseInstant(value: string, field: string): number {
  const parts = SHAPE.exec(value)?.groups;
  if (parts === undefined) {
    const expected = 'an RFC 3339 instant such as 2026-03-01T10:00:00Z';
    throw new InvalidInputError(field, expected, quoteText(value));
  }

  const fault = findFault(parts);
  if (fault !== null) throw new InvalidInputError(field, fault, quoteText(value));

  const instant = toLocal(parts) - toOffsetMs(parts);
  if (instant < DAWN || instant >= FOREVER) {
    const expected = 'an instant in the years 0001 to 9999 UTC';
    throw new InvalidInputError(field, expected, quoteText(value));
  }
  return instant;
}

/**
 * Milliseconds UTC as RFC 3339 with `Z`; three digits of milliseconds where they are not zero.
 *
 * @throws {RangeError} for anything but a whole number from DAWN to FOREVER - 1
 */
export function formatInstant(instant: number): string {
  if (!Number.isInteger(instant) || instant < DAWN || instant >= FOREVER) {
    throw new RangeError(
      `instant must be a whole number from DAWN to FOREVER, but got ${instant}.`,
    );
  }
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** The day of an instant in UTC, as `2026-03-01`. @throws {RangeError} as `formatInstant` */
export function formatDay(instant: number): string {
  return formatInstant(instant).slice(0, 'yyyy-mm-dd'.length);
}

type Parts = Readonly<Record<string, string | undefined>>;

/** What was expected where the parts name no instant; null where they do. */
function findFault(parts: Parts): string | null {
  if (parts.offset === undefined) return 'an instant with an offset, such as Z or +01:00';
  if (Number(parts.hour) > 23) return 'an hour from 00 to 23';
  if (Number(parts.minute) > 59) return 'a minute from 00 to 59';
  if (parts.second === '60') return 'a second from 00 to 59 (leap seconds have no place here)';
  if (Number(parts.second) > 59) return 'a second from 00 to 59';
  if (Number(parts.offsetHour ?? 0) > 23 || Number(parts.offsetMinute ?? 0) > 59) {
    return 'an offset from -23:59 to +23:59';
  }
  if (parts.year === '0000') return 'a year from 0001 to 9999';

  // Date carries an impossible day into another month, which tells.
  const day = new Date(toLocal(parts));
  const isDay =
    day.getUTCMonth() + 1 === Number(parts.month) && day.getUTCDate() === Number(parts.day);
  return isDay ? null : 'a day that the calendar has';
}

function toLocal(parts: Parts): number {
  const date = new Date(0);
  // Date.UTC would read the years 0001 to 0099 as 1901 to 1999.
  date.setUTCFullYear(Number(parts.year), Number(parts.month) - 1, Number(parts.day));
  const milliseconds = Number((parts.fraction ?? '').slice(0, 3).padEnd(3, '0'));
  date.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second), milliseconds);
  return date.getTime();
}

function toOffsetMs(parts: Parts): number {
  const minutes = Number(parts.offsetHour ?? 0) * 60 + Number(parts.offsetMinute ?? 0);
  return (parts.sign === '-' ? -minutes : minutes) * MINUTE_MS;
}
