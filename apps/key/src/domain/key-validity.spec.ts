import { KeyState, opensNow } from './key-validity';

const now = new Date('2026-03-01T12:00:00.000Z');
const past = '2026-03-01T11:59:59.000Z';
const future = '2026-03-01T12:00:01.000Z';
const good: KeyState = {
  type: 'USER',
  revokedAt: null,
  expiresAt: null,
  valueEndsAt: null,
  role: 'MEMBER',
  createdBy: '0197a000-0000-7000-8000-000000000001',
  ownerIsDisabled: false,
  ownerIsOperator: false,
};
const ofOperator = { type: 'OPERATOR', role: null, ownerIsOperator: true } as const;

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
    ['of a disabled account', { ownerIsDisabled: true }, false],
    ['of an operator', ofOperator, true],
    ['of somebody who is no operator any more', { ...ofOperator, ownerIsOperator: false }, false],
    ['of a disabled operator', { ...ofOperator, ownerIsDisabled: true }, false],
    ['of an account that is gone', { ...ofOperator, ownerIsOperator: null, ownerIsDisabled: false }, false],
    ['of the platform itself', { ...ofOperator, createdBy: null, ownerIsOperator: null }, true],
  ])('%s', (_, change, opens) => {
    expect(opensNow({ ...good, ...change }, now)).toBe(opens);
  });
});
