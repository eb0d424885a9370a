/**
 * How the store writes an interval without an end: year 10000, in milliseconds UTC. No instant that
 * a caller can name reaches it, so an open interval holds every one of them without a null.
 */
export const OPEN = 253_402_300_800_000;

/** How the store writes an interval without a start: year 1. */
export const SINCE_EVER = -62_135_596_800_000;

/** The largest instant before `OPEN`: what is recorded and not withdrawn then is what holds now. */
export const LAST_INSTANT = OPEN - 1;

/** The start of an interval as memory says it: null when it was true since ever. */
export function toValidFrom(stored: number): number | null {
  return stored === SINCE_EVER ? null : stored;
}

/** The end of an interval as memory says it: null when it is open. */
export function toValidTo(stored: number): number | null {
  return stored === OPEN ? null : stored;
}
