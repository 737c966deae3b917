import fc from 'fast-check';
import { page } from './success-response';
import { rawJsonPage } from './raw-json-page';

const types: string[] = [];
const reply = {
  type(name: string) {
    types.push(name);
    return this as never;
  },
};

const written = (value: object): string => {
  const answer = rawJsonPage(reply, 'Rows "of" é.', Buffer.from(JSON.stringify(value)), 50);
  return Buffer.isBuffer(answer) ? answer.toString() : `parsed ${JSON.stringify(answer)}`;
};

const rows = fc.array(
  fc.oneof(fc.jsonValue(), fc.constantFrom({ nextCursor: null }, '],"nextCursor":null}', [], { items: [] })),
);

describe('a page of rows as a service wrote them', () => {
  it('is what it would be, had the rows been parsed', () => {
    fc.assert(
      fc.property(rows, fc.option(fc.stringMatching(/^[\w-]{0,40}$/)), (items, nextCursor) => {
        const value = JSON.parse(JSON.stringify({ items, nextCursor })) as { items: unknown[]; nextCursor: null };
        expect(written(value)).toBe(JSON.stringify(page('Rows "of" é.', value, 50)));
      }),
    );
    expect(types).toContain('application/json; charset=utf-8');
  });

  it.each([
    ['a cursor of other characters', { items: [1], nextCursor: 'a"b' }],
    ['another order', { nextCursor: null, items: [1] }],
    ['something behind the cursor', { items: [1], nextCursor: null, more: 1 }],
    ['something behind it that ends alike', { items: [1], nextCursor: null, more: { y: [1], nextCursor: null } }],
  ])('is parsed where it has %s', (_what, value) => {
    expect(written(value)).toBe(`parsed ${JSON.stringify(page('Rows "of" é.', value as never, 50))}`);
  });
});
