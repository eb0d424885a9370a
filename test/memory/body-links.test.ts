import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { bodyLinks, parseBodyLinks } from '../../src/memory/body-links.ts';
import { markdownTarget } from '../../src/memory/link-target.ts';
import { parsePagePath } from '../../src/memory/page-path.ts';

const FROM = { project: 'home', path: 'notes/today' };

/** `KIND project:path`, the project only where it is another one. */
function links(body: string): string[] {
  return bodyLinks(body, FROM).map(({ kind, project, path }) =>
    project === FROM.project ? `${kind} ${path}` : `${kind} ${project}:${path}`,
  );
}

describe('a plain link is a reference', () => {
  test.each([
    ['[[a]]', 'a'],
    ['see [[notes/b c]] there', 'notes/b c'],
    ['[[ a ]]', 'a'],
    ['[[a|label]]', 'a'],
    ['[[a|label [1] more]]', 'a'],
    ['[[a#heading]]', 'a'],
    ['[[a#heading|label]]', 'a'],
    ['[[a^block]]', 'a'],
    ['[[a#^block]]', 'a'],
    ['![[a]]', 'a'],
    ['[[other:a/b]]', 'other:a/b'],
    ['[[other:a#h|l]]', 'other:a'],
    ['[[notes/10:30]]', 'notes/10:30'],
    ['[[Cafe\u0301]]', 'Caf\u00e9'],
    ['[[a.md]]', 'a.md'],
    ['[[[a]]]', 'a'],
    ['**[[a]]**', 'a'],
    ['| x | [[a\\|b]] |', 'a'],
    ['| x | [[a\\\\|b]] |', 'a'],
    ['| x |\n|---|\n| [[a|b]] |', 'a'],
    ['<div>\n<b>[[a]]</b>\n</div>', 'a'],
    ['[^1]: [[a]]', 'a'],
    ['\\\\[[a]]', 'a'],
    ['a unpaired ` tick and [[a]]', 'a'],
    ['a < b and [[a]]', 'a'],
  ])('%j', (body, path) => {
    const found = links(body);

    expect(found).toEqual([`REFERENCES ${path}`]);
  });
});

describe('a Markdown link to a path is a reference', () => {
  test.each([
    ['[t](a)', 'a'],
    ['[t](a.md)', 'a'],
    ['[t](a.MD#part)', 'a'],
    ['[t](a?x=1#part)', 'a'],
    ['[t](/a/b.md)', 'a/b'],
    ['[t](b/c)', 'b/c'],
    ['[t](./b.md)', 'notes/b'],
    ['[t](../b.md)', 'b'],
    ['[t](../x/./y/../b)', 'x/b'],
    ['[t](a%20b.md)', 'a b'],
    ['[t](caf%C3%A9)', 'café'],
    ['[t](100%)', '100%'],
    ['[t](a%23b)', 'a#b'],
    ['[t](<a b.md> "title")', 'a b'],
    ["[t](a 'title')", 'a'],
    ['[t](a (title))', 'a'],
    ['[t]( a\n"title" )', 'a'],
    ['[t](a_(b))', 'a_(b)'],
    ['[t](a\\(b)', 'a(b'],
    ['[t](a&amp;b)', 'a&b'],
    ['[a [b] c](a)', 'a'],
    ['[`]`](a)', 'a'],
    ['[[1]](a.md)', 'a'],
    ['![page](a.md)', 'a'],
    ['[t][x]\n\n[x]: a.md', 'a'],
    ['[X][]\n\n[x]: <a b.md> "t"', 'a b'],
    ['[x]\n\n[x]: a', 'a'],
    ['[![pic](x.png)](a)', 'a'],
  ])('%j', (body, path) => {
    const found = links(body);

    expect(found).toEqual([`REFERENCES ${path}`]);
  });
});

describe('a list item or a field that starts with a kind types its links', () => {
  test.each([
    ['- fixes [[a]]', ['FIXES a']],
    ['* causes: [[a]]', ['CAUSES a']],
    ['+ Supersedes [[a]]', ['SUPERSEDES a']],
    ['1. CONTRADICTS [[a]]', ['CONTRADICTS a']],
    ['- references [[a]]', ['REFERENCES a']],
    ['- fixes:: [[a]]', ['FIXES a']],
    ['- **fixes** [[a]]', ['FIXES a']],
    ['- **Fixes:** [[a]]', ['FIXES a']],
    ['- fixes **[[a]]**', ['FIXES a']],
    ['- [x] fixes [[a]]', ['FIXES a']],
    ['- fixes ![[a]]', ['FIXES a']],
    ['- fixes [text](a.md)', ['FIXES a']],
    ['- fixes [text][r]\n\n[r]: a.md', ['FIXES a']],
    ['- fixes [[other:a]]', ['FIXES other:a']],
    ['- fixes [[a]], [[b]] and [c](c)', ['FIXES a', 'FIXES b', 'FIXES c']],
    ['- fixes [[a]],\n  [[b]]', ['FIXES a', 'FIXES b']],
    ['- fixes [[a]]\n  - see [[b]]', ['FIXES a', 'REFERENCES b']],
    ['- fixes [[a]]\n- [[b]]', ['FIXES a', 'REFERENCES b']],
    ['> - fixes [[a]]', ['FIXES a']],
    ['- a\n  - fixes [[a]]', ['FIXES a']],
    ['- fixes [[a]]\r\n- causes [[b]]\r\n', ['FIXES a', 'CAUSES b']],
    ['causes:: [[a]]', ['CAUSES a']],
    ['**causes::** [[a]]', ['CAUSES a']],
    ['text\ncauses:: [[a]], [[b]]\nand [[c]]', ['CAUSES a', 'CAUSES b', 'REFERENCES c']],
    ['so (fixes:: [[a]], [[b]]) and [[c]]', ['FIXES a', 'FIXES b', 'REFERENCES c']],
    ['so [fixes:: [[a]] [t](b)] and [[c]]', ['FIXES a', 'FIXES b', 'REFERENCES c']],
    ['(fixes:: [[a]] (or so) [[b]]) [[c]]', ['FIXES a', 'REFERENCES b', 'REFERENCES c']],
    ['- fixes [[a]] (causes:: [[b]]) [[c]]', ['FIXES a', 'CAUSES b', 'REFERENCES c']],
    [
      '- supersedes [[a]], as agreed in [[b]]\nSee [[c]]',
      ['SUPERSEDES a', 'REFERENCES b', 'REFERENCES c'],
    ],
    ['- fixes [[a]]; [[b]] & **[[c]]** or [[d]]', ['FIXES a', 'FIXES b', 'FIXES c', 'FIXES d']],
    ['- fixes [[a]],\n  [[b]]', ['FIXES a', 'FIXES b']],
    ['- fixes [[a]]\n  [[b]]', ['FIXES a', 'REFERENCES b']],
    ['- fixes [[a]]. Not [[b]]', ['FIXES a', 'REFERENCES b']],
    ['- fixed by [[a]]', ['REFERENCES a']],
    ['- causes trouble, see [[a]]', ['REFERENCES a']],
    ['- see what fixes [[a]]', ['REFERENCES a']],
    ['fixes [[a]]', ['REFERENCES a']],
    ['causes: [[a]]', ['REFERENCES a']],
    ['because:: [[a]]', ['REFERENCES a']],
  ])('%j', (body, expected) => {
    const found = links(body);

    expect(found).toEqual(expected);
  });
});

describe('what is no link to another page gives nothing', () => {
  test.each([
    '`[[a]]`',
    '`` ` [[a]] ``',
    '`a\n[[a]]`',
    '```\n[[a]]\n```',
    '~~~~~\n~~~\n[[a]]\n~~~~~',
    '```\n[[a]]',
    '- x\n  ```\n  [[a]]\n  ```',
    '> ```\n> [[a]]',
    '    [[a]]',
    '- x\n\n      [[a]]',
    '<!-- [[a]] -->',
    'text <!-- [[a]] --> text',
    '<!--\n[[a]]\n\n[[b]]',
    '<a title="[[a]]">x</a>',
    '<img alt="[[a]]" src="[x](a)">',
    '<pre>\n[[a]]\n\n[[b]]\n</pre>',
    'so <code>[[a]]</code>',
    '<https://x.example/[[a]]>',
    '\\[[a]]',
    '\\[t](a)',
    '!\\[[a]]',
    '[[#heading]]',
    '[[#heading|label]]',
    '[[]]',
    '[[ ]]',
    '[[|label]]',
    '[[a\nb]]',
    '[[a',
    '[[/a]]',
    '[[a/]]',
    '[[a//b]]',
    '[[../a]]',
    '[[:a]]',
    '[[other:]]',
    `[[${'p'.repeat(129)}:a]]`,
    `[[${'é'.repeat(257)}]]`,
    '[[https://x.example/a]]',
    '[[notes/today]]',
    '[[home:notes/today#h]]',
    '- supersedes [[notes/today]]',
    '[t](./today.md)',
    '[t](https://x.example/a)',
    '[t](mailto:a@x.example)',
    '[t](//x.example/a)',
    '[t](#part)',
    '[t](?q)',
    '[t]()',
    '[t](<>)',
    '[t](../../a)',
    '[t](a/)',
    '[t](a b)',
    '[t](a "x" y)',
    '[t] (a)',
    '![pic](a.png)',
    '![pic](a%2Epng)',
    '![pic](a.JPG?raw=1 "t")',
    '![[a.svg]]',
    '![[scan.pdf#page=2]]',
    '[x]: a.md',
    '[t][x]',
    'plain words',
    '',
  ])('%j', (body) => {
    const found = links(body);

    expect(found).toEqual([]);
  });
});

test.each([
  ['\ufeff- fixes [[a]]', ['FIXES a']],
  ['\ufefffixes:: [[a]]', ['FIXES a']],
  ['\ufeff\r\n- fixes [[a]]', ['FIXES a']],
  ['\ufeff```\n[[a]]\n```', []],
])('reads a body without the mark of its encoding: %j', (body, expected) => {
  expect(links(body)).toEqual(expected);
});

test('states each edge once, in order of first appearance', () => {
  const body = '[[b]] [[a]] [[b|again]] [t](a.md)\n\n- causes [[c]]\n- fixes [[c]] [[c]]\n';

  const found = links(body);

  expect(found).toEqual(['REFERENCES b', 'REFERENCES a', 'CAUSES c', 'FIXES c']);
});

test('drops the bare edge to a page that a typed one names, wherever it stands', () => {
  const body = '[[a]] and [[other:a]]\n\n- fixes [[a]]\n\n[[a]]';

  const found = links(body);

  expect(found).toEqual(['REFERENCES other:a', 'FIXES a']);
});

test('takes the inner one of two nested links, as Markdown does', () => {
  const found = links('[a [b](b) c](c)');

  expect(found).toEqual(['REFERENCES b']);
});

test('keeps every link of a long body', () => {
  const body = Array.from({ length: 20_000 }, (_, index) => `- fixes [[p/${index}]]`).join('\n');

  const found = links(body);

  expect(found).toHaveLength(20_000);
  expect(found.at(-1)).toBe('FIXES p/19999');
});

describe('hostile text of a mebibyte is read to the end without a fault', () => {
  test.each([
    ['['],
    ['[['],
    ['![ '],
    ['`'],
    ['*'],
    ['> '],
    ['- '],
    ['[[a]]('],
    ['[](\\('],
    ['[](b "'],
    ['[ <a b="'],
    ['[ <!--'],
    ['[ <code>'],
    ['(causes:: '],
    ['[a][\\['],
  ])('of %j', (piece) => {
    const body = `[[first]]\n\n${piece.repeat(2 ** 20 / piece.length)}`;

    const found = links(body);

    expect(found[0]).toBe('REFERENCES first');
  });

  test('of lists in each other', () => {
    let body = '';
    for (let depth = 0; body.length < 2 ** 20; depth += 1) body += `${'  '.repeat(depth)}- [[a]]\n`;

    const found = links(body);

    expect(found).toEqual(['REFERENCES a']);
  });

  test('of lazy lines in a hundred quotes', () => {
    const body = `[[first]]\n\n${'> '.repeat(100)}${'a\n'.repeat(2 ** 19)}`;

    const found = links(body);

    expect(found).toEqual(['REFERENCES first']);
  });
});

test('never throws, and names only legal paths', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[[',
      ']]',
      '[',
      ']',
      '(',
      ')',
      '`',
      '```',
      '\n',
      '\\',
      '<',
      '>',
      '<!--',
      '-->',
    ),
    fc.constantFrom('- ', '> ', '    ', 'fixes ', 'causes:: ', '|', '#', '^', ':', '/', '../', '%'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );

  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const found = bodyLinks(pieces.join(''), FROM);

      for (const { project, path } of found) {
        expect(parsePagePath(path)).toBe(path);
        expect(project).not.toBe('');
      }
    }),
    { numRuns: 500 },
  );
});

test('finds the inline links that markdown-it itself finds', () => {
  const markdown = new MarkdownIt('commonmark');
  const letters =
    '[|]|](|)|`|``|\\|!| |\n|<|>|"|\'|a|b|*|(|<!--|-->|<b x="|[t](a)|- |\n> |    |```\n';
  const piece = fc.constantFrom(...letters.split('|'));

  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const body = pieces.join('');
      const tokens = markdown.parse(body, {});
      fc.pre(!body.includes('[['));
      fc.pre(tokens.every(({ type }) => type !== 'html_block'));

      const found = bodyLinks(body, FROM).map(({ path }) => path);

      const expected = hrefs(tokens).map((href) =>
        markdownTarget(href, { from: FROM, isEmbed: false }),
      );
      const paths = new Set(expected.flatMap((target) => target?.path ?? []));
      expect(found.sort()).toEqual([...paths].sort());
    }),
    { numRuns: 2_000 },
  );
});

function hrefs(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    const own = token.type === 'link_open' ? token.attrGet('href') : token.attrGet('src');
    return [...(own === null ? [] : [String(own)]), ...hrefs(token.children ?? [])];
  });
}

test('a body may link to 2,000 pages, each as often as it likes, and to no more', () => {
  const from = { project: 'p', path: 'a' };
  const body = Array.from({ length: 2_000 }, (_, index) => `[[n${index}]] [[n${index}]]`).join(' ');

  expect(parseBodyLinks(body, from, 'body')).toHaveLength(2_000);
  expect(() => parseBodyLinks(`${body} [[more]]`, from, 'pages.3.body')).toThrow(
    'pages.3.body: expected at most 2000 different links, but got 2001 links.',
  );
});
