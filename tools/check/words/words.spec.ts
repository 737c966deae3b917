import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { countWords } from './count-words';
import { hasRiddle, isDialect } from './dialect';
import { wordsOfSource } from './source-words';
import { asCeilings, lowered, overCeilings } from './word-ceilings';

const text = `
/** Who asks first is served. */
export class HeldBytes {
  private readonly keptUntil = 1;
  /* Returns the limit. */
  askedFor({ wanted, size: [lost] }: Row): string { return 'content-delta'; }
}
// What a line says
// and goes on to say.
const limit = '// Nobody'; // Whoever reads this
type Row = unknown;
`;

test('a name is dialect by one of its words, not by a part of one', () => {
  expect(['keptUntil', 'HELD_BYTES', 'what_was_said', 'roomFor', 'DOORS'].filter((name) => !isDialect(name))).toEqual(
    [],
  );
  expect(['placeholder', 'gateway', 'unlost', 'leftJoin', 'scrollLeft', 'broom', 'essay'].filter(isDialect)).toEqual(
    [],
  );
});

test('a sentence that begins with a guess is a riddle', () => {
  expect(['Who asks is served.', 'Two of them. What comes first wins.', 'Nobody waits.'].every(hasRiddle)).toBe(true);
  expect(['The caller who asks is served.', 'Whatsoever', 'Says what it does.'].some(hasRiddle)).toBe(false);
});

test('a comment with a word that leaves out who or what is meant is a riddle', () => {
  expect(['Waits for a lease that nobody has.', 'Kept, whatever comes.', 'For whoever reads.'].every(hasRiddle)).toBe(
    true,
  );
  expect(hasRiddle('Runs as the user `nobody`.')).toBe(false);
});

test('every declared name, type, comment and text of a file is found', () => {
  const { names, types, comments, texts } = wordsOfSource('a.ts', text);
  expect(names).toEqual(['HeldBytes', 'keptUntil', 'askedFor', 'wanted', 'lost', 'limit', 'Row']);
  expect(types).toEqual(['HeldBytes', 'Row']);
  expect(comments).toEqual([
    'Who asks first is served.',
    'Returns the limit.',
    'What a line says and goes on to say.',
    'Whoever reads this',
  ]);
  expect(texts).toEqual([PRODUCT_EVENTS.contentDelta, '// Nobody']);
});

const EVENT_NAME = `const name = '${PRODUCT_EVENTS.contentDelta}';`;

test.each([
  ['libs/contracts/src/agent/a.ts', { sources: 1, tests: 0 }],
  ['apps/agent/test/a.e2e-spec.ts', { sources: 0, tests: 1 }],
  ['libs/contracts/src/turn-frames/a.ts', { sources: 0, tests: 0 }],
  ['libs/client/src/a.spec.ts', { sources: 0, tests: 0 }],
  ['apps/gateway/test/a.e2e-spec.ts', { sources: 0, tests: 0 }],
])('names of events are counted but where they are declared or read by clients: %s', (path, expected) => {
  expect(countWords([{ path, text: EVENT_NAME }]).eventNames).toEqual(expected);
});

test('a generated file is counted in its sources', () => {
  const generated = `// Generated from the contracts; do not edit.\n${text}`;
  expect(countWords([{ path: 'libs/client/src/a.ts', text: generated }]).packages).toEqual({});
});

test('a count above its ceiling is named, and a ceiling never rises', () => {
  const file = (name: string, source: string) => ({ path: `libs/one/src/${name}.ts`, text: source });
  const counts = countWords([file('a', text), ...['b', 'c', 'd'].map((name) => file(name, 'type Row = 1;'))]);
  const now = asCeilings(counts);
  expect(now).toEqual({
    'libs/one: comments with a riddle as the subject': 3,
    'libs/one: names with a word of the dialect': 5,
    'names of turn events as text in sources': 1,
    'types named Row': 4,
  });
  expect(overCeilings(now, now)).toEqual([]);
  expect(overCeilings({ ...now, 'libs/one: names with a word of the dialect': 4 }, now)).toEqual([
    'libs/one: names with a word of the dialect: 5, and at most 4 are allowed',
  ]);
  expect(lowered({ 'types named Row': 9, 'types named Gone': 4 }, now)).toEqual({ 'types named Row': 4 });
  expect(lowered({ 'types named Row': 3 }, now)).toEqual({ 'types named Row': 3 });
});
