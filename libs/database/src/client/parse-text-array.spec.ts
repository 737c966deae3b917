import fc from 'fast-check';
import { types } from 'pg';
import { textArray } from './parse-text-array';

const byPg = types.getTypeParser(1009 as number, 'text') as (text: string) => (string | null)[];
/** Postgres' array format. */
const written = (list: readonly (string | null)[]): string =>
  `{${list
    .map((item) => {
      if (item === null) return 'NULL';
      return /^(?:null)?$|[{},"\\\s]/i.test(item) ? `"${item.replace(/["\\]/g, '\\$&')}"` : item;
    })
    .join(',')}}`;
const item = fc.oneof(
  fc.constant(null),
  fc.string(),
  fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', ' ', '\n', 'é', '😀') }),
  fc.constantFrom('', 'NULL', 'null', '\\', '"', '\\\\"'),
);

describe('a list of texts', () => {
  it('is read as it was written, and as pg reads it', () => {
    fc.assert(
      fc.property(fc.array(item), (list) => {
        expect(textArray(written(list))).toEqual(list);
        expect(byPg(written(list))).toEqual(list);
      }),
    );
  });

  it('may have several dimensions, or bounds', () => {
    for (const text of ['{{a,b},{c,d}}', '[0:1]={a,b}']) expect(textArray(text)).toEqual(byPg(text));
  });
});
