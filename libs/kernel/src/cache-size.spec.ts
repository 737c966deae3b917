import { LRUCache } from 'lru-cache';
import { upToEntries } from './cache-size';

test('a cache of up to three entries forgets the one that was used least recently', () => {
  const cache = new LRUCache<string, number>(upToEntries(3));
  for (const [at, name] of ['a', 'b', 'c'].entries()) cache.set(name, at);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd']);
});
