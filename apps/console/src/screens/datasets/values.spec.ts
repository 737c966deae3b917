import type { DatasetField } from '@switchyard/client';
import { listText, problemWords, textsIn, typedText, valueOf } from './values';

describe('a value of a dataset', () => {
  it.each<[DatasetField['type'], unknown]>([
    ['json', '123'],
    ['json', 'null'],
    ['json', 'plain'],
    ['json', { a: [1, null] }],
    ['json', 12],
    ['string', '123'],
    ['text', '{"a": 1}'],
    ['string[]', ['1', '2']],
    ['integer', 7],
    ['boolean', false],
  ])('of the type %s stays what it is when it is edited and left alone: %j', (type, value) => {
    expect(valueOf({ type }, typedText({ type }, value))).toEqual(value);
  });

  it('of an enum of JSON stays what it is too', () => {
    const field = { type: 'json' as const, enum: ['12', 12] };
    for (const value of field.enum) expect(valueOf(field, typedText(field, value))).toBe(value);
  });
});

describe('a list of texts', () => {
  it.each([[['one', 'two']], [['Porto, Portugal', 'Lyon']], [[' edge']], [['[1]']], [[]]])(
    'is read as it was: %j',
    (texts) => {
      expect(textsIn(listText(texts))).toEqual(texts);
    },
  );

  it('is typed with commas', () => {
    expect(textsIn(' one,two ,, three')).toEqual(['one', 'two', 'three']);
    expect(listText(['one', 'two'])).toBe('one, two');
  });
});

test('a decimal is entered as a number', () => {
  const text = 'must be a decimal in a string, as "12.50", of at most 131 characters';
  expect(problemWords('decimal', text)).toBe('must be a decimal number, as 12.50');
  expect(problemWords('decimal', 'is required')).toBe('is required');
  expect(problemWords('string', undefined)).toBeUndefined();
});
