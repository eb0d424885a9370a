/** Words of English outgrow this only when they are not words. */
const MAX_STEMMED_LENGTH = 40;

/** Words whose stem the rules below would get wrong, from the source. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map(
    (word) => [word, word] as const,
  ),
]);

/** Words that look like a verb's form once their plural is off, and are none. */
const COMPLETE = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

/** Ending and what takes its place, where it stands in R1. A longer ending comes before a shorter. */
const DERIVED: readonly Ending[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og', /l$/],
  ['li', '', /[cdeghkmnrt]$/],
];
const NOMINAL: readonly Ending[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const LAST: readonly Ending[] = [
  ['ement', ''],
  ['ance', ''],
  ['ence', ''],
  ['able', ''],
  ['ible', ''],
  ['ment', ''],
  ['ant', ''],
  ['ent', ''],
  ['ism', ''],
  ['ate', ''],
  ['iti', ''],
  ['ous', ''],
  ['ive', ''],
  ['ize', ''],
  ['ion', '', /[st]$/],
  ['al', ''],
  ['er', ''],
  ['ic', ''],
];
type Ending = readonly [ending: string, replacement: string, after?: RegExp];

const VOWEL = /[aeiouy]/;
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;

/**
 * The stem of a folded word: `pods` and `pod`, `connection` and `connected` meet.
 * Words with anything but `a` to `z`, and words of more than 40 letters, come
 * back as they are.
 *
 * Source: the English (Porter 2) algorithm of the Snowball project, which is
 * what the `english` dictionary of Postgres runs; a test compares the two.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || word.length > MAX_STEMMED_LENGTH || !/^[a-z]+$/.test(word)) return word;

  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;

  // Y stands for a y that is a consonant.
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const r1 = startOfR1(marked);
  const r2 = startAfterSyllable(marked, r1);

  const singular = withoutPlural(marked);
  if (COMPLETE.has(singular)) return singular;

  let stem = withoutVerbEnding(singular, r1);
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = replaceEnding(stem, DERIVED, r1);
  stem = replaceEnding(stem, NOMINAL, r1, r2);
  stem = replaceEnding(stem, LAST, r2);
  return withoutFinalLetter(stem, r1, r2).replaceAll('Y', 'y');
}

function startOfR1(word: string): number {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  return prefix === undefined ? startAfterSyllable(word, 0) : prefix.length;
}

/** Just after the first consonant that follows a vowel, from `start`; else the word's end. */
function startAfterSyllable(word: string, start: number): number {
  const syllable = /^[^aeiouy]*[aeiouy]+[^aeiouy]/.exec(word.slice(start));
  return syllable === null ? word.length : start + syllable[0].length;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word)) return word;
  return word.endsWith('s') && VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed !== null) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;

  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (ending === null) return word;
  const stem = word.slice(0, ending.index);
  if (!VOWEL.test(stem)) return word;

  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) {
    return /^[aeo]..$/.test(stem) ? stem : stem.slice(0, -1);
  }
  return r1 >= stem.length && SHORT_SYLLABLE.test(stem) ? `${stem}e` : stem;
}

/** Only the longest ending of the list is tried; `ative` must stand in R2, the others in `region`. */
function replaceEnding(word: string, endings: readonly Ending[], region: number, r2 = 0): string {
  for (const [ending, replacement, after] of endings) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    const isInRegion = stem.length >= (ending === 'ative' ? Math.max(region, r2) : region);
    return isInRegion && (after === undefined || after.test(stem)) ? stem + replacement : word;
  }
  return word;
}

function withoutFinalLetter(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith('e')) {
    const goes = stem.length >= r2 || (stem.length >= r1 && !SHORT_SYLLABLE.test(stem));
    return goes ? stem : word;
  }
  return word.endsWith('ll') && stem.length >= r2 ? stem : word;
}
