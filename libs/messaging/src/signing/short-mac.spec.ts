import { createHmac, randomBytes } from 'node:crypto';
import { hmacKeyOf, shortHmac } from './short-mac';

describe('the HMAC of a short message', () => {
  it.each([
    [32, 'task\njob\n', 0],
    [32, '', 900],
    [1, 'task.execute 1\n', 1],
    [64, 'ä€😀\u0000', 55],
    [32, 'x'.repeat(3_000), 4096],
    [32, 'x', 100_000],
  ])('is that of Node, with a key of %p bytes', (keyBytes, head, length) => {
    for (let round = 0; round < 20; round += 1) {
      const key = randomBytes(keyBytes);
      const bytes = randomBytes(length);
      const expected = createHmac('sha256', key).update(head).update(bytes).digest();
      expect(shortHmac(hmacKeyOf(key), head, bytes)).toEqual(expected);
    }
  });
});
