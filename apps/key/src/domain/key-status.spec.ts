import { earlier, isPast, keyStatus } from './key-status';

const now = new Date('2026-03-01T12:00:00.000Z');
const before = '2026-03-01T11:59:59.999Z';
const exactly = '2026-03-01T12:00:00.000Z';
const after = '2026-03-01T12:00:00.001Z';

describe('the status of a key', () => {
  it.each([
    [null, null, 'ACTIVE'],
    [null, after, 'ACTIVE'],
    [null, exactly, 'EXPIRED'],
    [null, before, 'EXPIRED'],
    [before, null, 'REVOKED'],
    [before, before, 'REVOKED'],
  ] as const)('revoked %s, expires %s: %s', (revokedAt, expiresAt, status) => {
    expect(keyStatus({ revokedAt, expiresAt }, now)).toBe(status);
  });

  it('ends at the nearer of two ends', () => {
    expect(earlier(null, null)).toBeNull();
    expect(earlier(before, null)).toBe(before);
    expect(earlier(null, after)).toBe(after);
    expect(earlier(after, before)).toBe(before);
  });

  it('never ends without an end', () => {
    expect(isPast(null, now)).toBe(false);
  });
});
