import { DAWN, FOREVER } from '../memory/instant.ts';

/**
 * How the store writes an interval without an end. No instant that a caller can name reaches it, so
 * an open interval holds every one of them without a null.
 */
export const OPEN = FOREVER;

/** How the store writes an interval without a start. */
export const SINCE_EVER = DAWN;

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
