import { documents, textOf } from './documents';
import { examplesOf, fencesOf } from './page';

const page = (...lines: string[]): string => lines.join('\n');

test('takes the blocks that are marked, with their answers', () => {
  const text = page(
    '# Page',
    '```sh',
    'npm start',
    '```',
    '```sh run',
    'echo hi',
    '```',
    'prints',
    '```text answer',
    'hi',
    '```',
  );
  expect(examplesOf(text)).toEqual([
    { line: 5, language: 'sh', code: 'echo hi', isRefused: false, answer: { line: 9, language: 'text', text: 'hi' } },
  ]);
});

test('a block may hold fences of its own', () => {
  expect(examplesOf(page('````sh run', '```', 'x', '```', '````'))[0]?.code).toBe('```\nx\n```');
});

test.each([
  ['an answer without an example', page('```json answer', '{}', '```')],
  [
    'two answers to one example',
    page('```sh run', 'x', '```', '```text answer', 'x', '```', '```text answer', 'x', '```'),
  ],
  ['a language that cannot be run', page('```ruby run', 'x', '```')],
  ['a block without an end', page('```sh run', 'x')],
])('refuses %s', (_what, text) => {
  expect(() => examplesOf(text)).toThrow(/^line \d+: /);
});

/** Pages for operators and contributors show commands that a test does not run. */
const users = documents.filter((document) => !/^docs\/(?:operate|contribute)\//.test(document));

test.each(users)('%s has no example that is not run', (document) => {
  const fences = fencesOf(textOf(document));
  const code = fences.filter(({ language }) => ['sh', 'bash', 'ts', 'js'].includes(language));
  const unrun = code.filter(
    ({ marks, text }) =>
      !marks.includes('run') && !/^(export (?:HOST|TOKEN)=|git clone |npm |docker compose )/.test(text),
  );
  expect(unrun.map(({ line }) => `line ${line}`)).toEqual([]);
});
