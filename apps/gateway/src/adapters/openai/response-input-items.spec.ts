import { pageOf } from './response-input-items';

const items = ['a', 'b', 'c'].map((id) => ({ id }));
const listed = (query: Parameters<typeof pageOf>[1]): unknown => {
  const { data, first_id, last_id, has_more } = pageOf(items, query);
  return [(data as { id: string }[]).map(({ id }) => id).join(''), first_id, last_id, has_more];
};

describe('a page of input items', () => {
  it.each([
    [{}, ['cba', 'c', 'a', false]],
    [{ order: 'asc' }, ['abc', 'a', 'c', false]],
    [{ limit: 2 }, ['cb', 'c', 'b', true]],
    [{ limit: 2, after: 'b' }, ['a', 'a', 'a', false]],
    [{ limit: 1, order: 'asc', after: 'a' }, ['b', 'b', 'b', true]],
    [{ after: 'a' }, ['', null, null, false]],
  ] as const)('is %j of them', (query, page) => {
    expect(listed(query)).toEqual(page);
  });

  it('is refused after an unknown item', () => {
    expect(() => pageOf(items, { after: 'x' })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'after' })] }),
    );
  });
});
