import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { stemEnglish } from '../../src/memory/stem-english.ts';

const ROOTS =
  'add activ adopt agre argu arsen bias bleed bus cache care commun connect creat cri depend die dye ebb egg ' +
  'electr emerg exce feed form gas gener go happ hop hopp in just li log nation old pod pol psycholog quick ' +
  'rat relat run say sched sky suc tan tim tr try us valu whimsi yell zz';
const ENDINGS =
  's es ed eed ing ingly edly eedly ly y ies ied ying ational tional ation izer ization fulness ousness ' +
  'iveness biliti bility lessly entli ently alism aliti ality ousli iviti fulli enci ency anci abli ator alli ' +
  'bli ogi logy li alize icate iciti icity ative ical ness ful ement ance ence able ible ment ant ent ism ate ' +
  'iti ity ous ive ize ion tion sion al er ic e l ll nning uting rring ss us';

test("words stem as in Postgres' own English dictionary", async () => {
  const words = ROOTS.split(' ').flatMap((root) => [
    root,
    ...ENDINGS.split(' ').flatMap((ending) => [root + ending, `${root}${ending}s`]),
  ]);
  words.push(
    ...'skis skies dying idly gently ugly early only singly news atlas andes inning'.split(' '),
  );
  words.push(
    ...'inning innings outing canning herring earring proceeds exceeded succeed'.split(' '),
  );
  await using database = await PGlite.create();
  await database.exec(
    'create text search dictionary english_without_stop_words (template = snowball, language = english)',
  );

  const { rows } = await database.query<{ word: string; stem: string }>(
    `select word, (ts_lexize('english_without_stop_words', word))[1] as stem
     from unnest($1::text[]) as word`,
    [words],
  );

  expect(rows).toHaveLength(words.length);
  expect(rows.map(({ word }) => ({ word, stem: stemEnglish(word) }))).toEqual(rows);
});

test('what is no English word comes back as it is', () => {
  const words = ['', 'a', 'us', 'running2', 'кошки', 'ADDED', 'retenções', 'ing'.repeat(20)];

  expect(words.map(stemEnglish)).toEqual(words);
});
