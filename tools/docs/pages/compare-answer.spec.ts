import { compareAnswer } from './compare-answer';

const json = (shown: unknown, printed: unknown): string | null =>
  compareAnswer({ line: 1, language: 'json', text: JSON.stringify(shown) }, JSON.stringify(printed));
const text = (shown: string, printed: string): string | null =>
  compareAnswer({ line: 1, language: 'text', text: shown }, printed);

test('JSON may hold more than the page shows, and the page may leave values open', () => {
  expect(json({ data: { id: '...', name: 'A' } }, { success: true, data: { id: 'x', name: 'A', more: 1 } })).toBeNull();
  expect(json({ url: 'http://.../mcp' }, { url: 'http://127.0.0.1:3000/mcp' })).toBeNull();
  expect(json([1, '...'], [1, 2, 3])).toBeNull();
});

test.each([
  [{ a: 1 }, { a: 2 }, 'the answer.a is 2, not 1'],
  [{ a: { b: '...' } }, { a: {} }, 'the answer.a has no b'],
  [[1], [1, 2], 'the answer has 2 items, not 1'],
  [['x'], ['y'], 'the answer[0] is "y", not "x"'],
  [null, 0, 'the answer is 0, not null'],
])('%j is not %j', (shown, printed, difference) => {
  expect(json(shown, printed)).toBe(difference);
});

test('lines are compared one by one; a line of dots stands for any number of them', () => {
  expect(text('id: 1\n...\nend', 'id: 1\na\nb\nend\n')).toBeNull();
  expect(text('took ... ms', 'took 12 ms')).toBeNull();
  expect(text('a.c', 'abc')).toBe('the answer does not go on with: a.c');
  expect(text('a', 'a\nb')).toBe('the answer does not go on with: a');
  expect(text('a\n...\nz', 'a\nb')).toBe('the answer does not go on with: z');
});
