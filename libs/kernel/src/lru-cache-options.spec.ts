import { LRUCache } from 'lru-cache';
import { upToBytes, upToEntries } from './lru-cache-options';

test('a cache of up to three entries evicts the least recently used one', () => {
  const cache = new LRUCache<string, number>(upToEntries(3));
  for (const [at, name] of ['a', 'b', 'c'].entries()) cache.set(name, at);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
});

it('evicts entries by their size in bytes', () => {
  const cache = new LRUCache<string, { text: string }>(upToBytes(10_000));
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, { text: 'x'.repeat(2500) });
  expect([...cache.keys()]).toEqual(['d', 'c', 'b']);
  cache.set('e'.repeat(9000), { text: '' });
  expect([...cache.keys()].map((key) => key.charAt(0))).toEqual(['e']);
  cache.set('f', { text: 'x'.repeat(20_000) });
  expect(cache.has('f')).toBe(false);
});
