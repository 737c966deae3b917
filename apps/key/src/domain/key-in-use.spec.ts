import { KeyState, opensNow } from './key-in-use';

const now = new Date('2026-03-01T12:00:00.000Z');
const past = '2026-03-01T11:59:59.000Z';
const future = '2026-03-01T12:00:01.000Z';
const good: KeyState = { type: 'USER', revokedAt: null, expiresAt: null, valueEndsAt: null, role: 'MEMBER' };

describe('a key', () => {
  it.each<[string, Partial<KeyState>, boolean]>([
    ['of a member', {}, true],
    ['before its expiry', { expiresAt: future }, true],
    ['in its grace', { valueEndsAt: future }, true],
    ['of an application', { type: 'SYSTEM', role: null }, true],
    ['revoked', { revokedAt: past }, false],
    ['revoked in its grace', { revokedAt: past, valueEndsAt: future }, false],
    ['expired', { expiresAt: past }, false],
    ['after its grace', { valueEndsAt: past }, false],
    ['of somebody who left', { role: null }, false],
  ])('%s', (_, change, opens) => {
    expect(opensNow({ ...good, ...change }, now)).toBe(opens);
  });
});
