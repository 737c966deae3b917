import { documents, textOf } from './documents';
import { unsetVariablesOf } from './example-variables';

const page = (...blocks: [language: string, code: string][]): string =>
  blocks.map(([language, code]) => `Text.\n\n\`\`\`${language}\n${code}\n\`\`\``).join('\n\n');

const unsetIn = (...blocks: [language: string, code: string][]): string[] =>
  unsetVariablesOf(page(...blocks)).map(({ name }) => name);

test('each variable that an example uses is set in an example before it on the page', () => {
  const unset = documents.flatMap((document) =>
    unsetVariablesOf(textOf(document)).map(({ line, name }) => `${document}:${line}: ${name}`),
  );
  expect(unset).toEqual([]);
});

test('a variable that is set later, or not at all, is found', () => {
  expect(unsetIn(['sh', 'curl $HOST/api/$SPACE_ID'], ['sh', 'export HOST=http://127.0.0.1:3000'])).toEqual([
    'HOST',
    'SPACE_ID',
  ]);
  expect(unsetIn(['ts', 'process.env.AGENT!; const { KEY } = process.env;'], ['python', 'os.environ["KEY"]'])).toEqual([
    'AGENT',
    'KEY',
    'KEY',
  ]);
});

test('a variable may be set in the same example, with a default, by a loop, or for TypeScript and Python by the shell', () => {
  expect(unsetIn(['sh', 'KEY=a; echo "$KEY"'])).toEqual([]);
  expect(unsetIn(['sh', 'echo "${AS:-none}" "$1" \\$LATER'])).toEqual([]);
  expect(unsetIn(['sh', 'for id in a b; do echo $id; done; while read -r line; do echo $line; done'])).toEqual([]);
  expect(unsetIn(['sh', 'export KEY=a'], ['ts', 'process.env.KEY!'], ['python', 'os.environ.get("KEY")'])).toEqual([]);
});
