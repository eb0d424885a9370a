const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** Shorter beginnings say no month: `ma` is none. */
const SHORTEST_MONTH = 3;

/**
 * The valid date of a page as terms of the keyword index: `date 8`, `date may`, `date 2023`, of the
 * day in UTC. No word of a text gives a term with a space, so a ranking that does not ask for dates
 * is not changed by them.
 *
 * @param validFrom  milliseconds UTC; null has no date
 */
export function dateTerms(validFrom: number | null): readonly string[] {
  if (validFrom === null) return [];
  const date = new Date(validFrom);
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return [date.getUTCDate(), month, date.getUTCFullYear()].map((part) => `date ${part}`);
}

/**
 * The date term that a folded word of a query asks for: a month in full or shortened, a day of the
 * month, a year of four digits; null for any other word.
 */
export function dateTermOf(word: string): string | null {
  const month = monthOf(word);
  if (month !== undefined) return `date ${month}`;
  const [, digits] = /^0?(\d{1,4})(?:st|nd|rd|th)?$/.exec(word) ?? [];
  const number = Number(digits);
  const isPart = digits?.length === 4 || (number >= 1 && number <= 31);
  return digits !== undefined && isPart ? `date ${number}` : null;
}

function monthOf(word: string): string | undefined {
  if (word.length < SHORTEST_MONTH) return undefined;
  return MONTHS.find((month) => month.startsWith(word));
}
