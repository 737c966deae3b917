/// <reference types="jest" />
import { lineOf } from './json-path-line';

const text = JSON.stringify(
  [
    { id: 'a', with: { url: 'x, {"y": [1]}' } },
    { id: 'b', with: { list: [1, { deep: true }], url: 2 } },
  ],
  null,
  2,
);
const at = (line: number): string => text.split('\n')[line - 1]?.trim() ?? '';

describe('the line of a problem in JSON', () => {
  it.each([
    ['[0].with.url', '"url": "x, {\\"y\\": [1]}"'],
    ['[1].id', '"id": "b",'],
    ['[1].with.list[1].deep', '"deep": true'],
    ['[1].with.url', '"url": 2'],
  ])('is that of its value: %s', (path, line) => {
    expect(at(lineOf(text, path))).toBe(line);
  });

  it('is that of what holds it where the value is missing', () => {
    expect(at(lineOf(text, '[1].with.method'))).toBe('"with": {');
    expect(lineOf(text, '[7].id')).toBe(1);
    expect(lineOf('', '[0]')).toBe(1);
    expect(lineOf('[{"a" 1]}', '[0].a')).toBe(1);
  });
});
