import { anchorsOf, brokenLinksOf } from './links';
import { blocksOf, wordsOf } from './markdown-blocks';
import { oldVoiceIn } from './old-voice';

const page = `# A page

One paragraph
of two lines, with [a link](b.md#two-words).

- an item
  of two lines
- another

\`\`\`sh
whoever gives up
\`\`\`

| left | right |
| ---- | ----- |
| \`x\` | y z   |
`;

test('blocks are paragraphs, items, cells and headings, without code', () => {
  expect(blocksOf(page)).toEqual([
    'A page',
    'One paragraph of two lines, with [a link](b.md#two-words).',
    'an item   of two lines',
    'another',
    'left',
    'right',
    '`x`',
    'y z',
  ]);
});

test('words of a link are counted, its address and inline code are one word at most', () => {
  expect(wordsOf('See [a link](b.md#two-words) and `x y z`.')).toBe(5);
});

test.each([
  'Whoever asks is served.',
  'What it may do: read.',
  'The worker goes on with it.',
  'Its readers are told of it.',
  'It gives the job up.',
  'Rows whose time is over are deleted.',
])('finds the old voice: %s', (block) => {
  expect(oldVoiceIn(block)).not.toEqual([]);
});

test.each([
  'The worker continues with the next row.',
  'What does it cost?',
  'A table shows what changed.',
  'Run `give up` to end it.',
])('leaves plain English alone: %s', (block) => {
  expect(oldVoiceIn(block)).toEqual([]);
});

test('headings that are called the same have anchors of their own', () => {
  expect(anchorsOf('# `GET /a`, twice\n## Two words\n## Two words\n```\n# no heading\n```\n')).toEqual([
    'get-a-twice',
    'two-words',
    'two-words-1',
  ]);
});

test('an anchor that a page declares stays, under a heading with another name', () => {
  expect(anchorsOf('<a id="old-name"></a>\n\n## New name\n')).toEqual(['new-name', 'old-name']);
});

test('a link leads to a file and a heading of it', () => {
  const files: Record<string, string> = {
    'docs/a.md':
      '[ok](b.md#here) [gone](c.md) [no heading](b.md#there) [of itself](#x) [web](https://x.test/y) `[c](d)`',
    'docs/b.md': '## Here',
  };
  const repository = { exists: (file: string) => file in files, textOf: (file: string) => files[file] ?? '' };
  expect(brokenLinksOf('docs/a.md', repository)).toEqual(['c.md', 'b.md#there', '#x']);
});
