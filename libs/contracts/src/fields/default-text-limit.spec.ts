import 'reflect-metadata';
import { Field } from './field';
import { f } from './field-schema';
import { TEXT_BYTES, isOverTextBytes } from './default-text-limit';
import { validatorOf } from './validate';

test.each([
  ['x', TEXT_BYTES],
  ['é', TEXT_BYTES / 2],
  ['注', Math.floor(TEXT_BYTES / 3)],
  ['😀', TEXT_BYTES / 4],
])('a text of %s ends at 1 MiB in UTF-8', (sign, count) => {
  expect(isOverTextBytes(sign.repeat(count))).toBe(false);
  expect(isOverTextBytes(sign.repeat(count + 1))).toBe(true);
});

test('gives the same message if the number of characters alone is over the limit', () => {
  class Sample {
    @Field(f.text()) text!: string;
  }
  const check = validatorOf(Sample, { closed: true });
  expect(check({ text: 'x'.repeat(TEXT_BYTES + 1) })).toEqual([
    { path: 'text', message: 'must not be longer than 1 MiB in UTF-8' },
  ]);
});
