import { randomBytes } from 'node:crypto';
import { openSuccessor, sealSuccessor } from './seal-next-refresh-token';

const spent = randomBytes(32).toString('base64url');
const successor = { refreshToken: randomBytes(32).toString('base64url'), accessToken: 'a.b.c' };

it('is opened by the spent token alone', () => {
  const sealed = sealSuccessor(spent, successor);
  expect(openSuccessor(spent, sealed)).toEqual(successor);
  expect(() => openSuccessor(randomBytes(32).toString('base64url'), sealed)).toThrow();
  expect(sealed.includes(successor.refreshToken)).toBe(false);
});

it('notices every change', () => {
  const sealed = sealSuccessor(spent, successor);
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => openSuccessor(spent, changed)).toThrow();
  }
});
