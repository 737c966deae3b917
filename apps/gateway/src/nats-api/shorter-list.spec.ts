import { LIST_BYTES, shorterLimit, withLimit } from './shorter-list';

const listOf = (rows: number, bytes: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      data: Array.from({ length: rows }, () => 'x'.repeat(bytes)),
      page: { limit: 100, nextCursor: null },
    }),
  );

describe('a list that is too long', () => {
  it('is asked for again with fewer rows', () => {
    expect(shorterLimit(listOf(10, 1000))).toBeNull();
    expect(shorterLimit(listOf(100, 20_000))).toBe(37);
    expect(shorterLimit(listOf(2, LIST_BYTES))).toBe(1);
    expect(shorterLimit(listOf(1, 2 * LIST_BYTES))).toBeNull();
    expect(shorterLimit(Buffer.from(`{"data":"${'x'.repeat(LIST_BYTES)}"}`))).toBeNull();
  });

  it('keeps the other parameters', () => {
    const get = { method: 'GET', target: '/api/agents?limit=100&cursor=abc', body: Buffer.alloc(0) };
    expect(withLimit(get, 7).target).toBe('/api/agents?cursor=abc&limit=7');
    const post = { method: 'POST', target: '/x', body: Buffer.from('{"filter":{"a":1},"limit":50}') };
    expect(JSON.parse(withLimit(post, 7).body.toString())).toEqual({ filter: { a: 1 }, limit: 7 });
  });
});
