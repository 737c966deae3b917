import type { Approver, Role } from '@switchyard/contracts';
import { checkMayAnswer, isAnswerable } from './interaction-access';

const person = (userId: string, role: Role) => ({ userId, role, credentialType: 'jwt' as const, scopes: ['*'] });
const key = (userId: string, role: Role, scopes: string[]) => ({
  userId,
  role,
  credentialType: 'api_key' as const,
  scopes,
});
const approval = (approver: Approver) => ({ userId: 'user', purpose: 'approval' as const, approver });
const verdict = (
  caller: Parameters<typeof checkMayAnswer>[0],
  request: Parameters<typeof checkMayAnswer>[1],
): string => {
  try {
    checkMayAnswer(caller, request);
    return 'yes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('who may answer', () => {
  it.each<[Approver, string, string, string, string]>([
    // the user, the user as ADMIN, another MEMBER, another ADMIN
    ['USER', 'yes', 'yes', 'NOT_FOUND', 'FORBIDDEN'],
    ['ADMIN', 'FORBIDDEN', 'yes', 'NOT_FOUND', 'yes'],
    ['OTHER', 'FORBIDDEN', 'FORBIDDEN', 'yes', 'yes'],
    ['OTHER_ADMIN', 'FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'yes'],
  ])('an approval by %s', (by, user, userAsAdmin, member, admin) => {
    expect([
      verdict(person('user', 'MEMBER'), approval(by)),
      verdict(person('user', 'ADMIN'), approval(by)),
      verdict(person('other', 'MEMBER'), approval(by)),
      verdict(person('other', 'ADMIN'), approval(by)),
      verdict(person('other', 'VIEWER'), approval(by)),
    ]).toEqual([user, userAsAdmin, member, admin, 'NOT_FOUND']);
  });

  it('a key with the scope answers an approval as its maker', () => {
    for (const scopes of [['*'], ['agents:call']])
      expect(verdict(key('user', 'OWNER', scopes), approval('USER'))).toBe('FORBIDDEN');
    expect(verdict(key('user', 'OWNER', ['*', 'approvals:answer']), approval('USER'))).toBe('yes');
    expect(verdict(key('user', 'OWNER', ['*', 'approvals:answer']), approval('OTHER'))).toBe('FORBIDDEN');
    expect(verdict(key('other', 'MEMBER', ['*']), approval('ADMIN'))).toBe('NOT_FOUND');
  });

  it('an approval by the user of a turn of an account is also its ADMINs', () => {
    const request = { ...approval('USER'), ofAccount: true };
    const account = (scopes: string[]) => ({
      ...key('user', 'MEMBER', scopes),
      credentialType: 'nats_account' as const,
    });
    expect([
      verdict(person('other', 'ADMIN'), request),
      verdict(person('other', 'OWNER'), request),
      verdict(person('other', 'MEMBER'), request),
      verdict(key('other', 'ADMIN', ['*']), request),
      verdict(account(['agents:call', 'approvals:answer']), request),
      verdict(account(['*']), request),
    ]).toEqual(['yes', 'yes', 'NOT_FOUND', 'FORBIDDEN', 'yes', 'FORBIDDEN']);
    const ofOthers = { ...approval('OTHER_ADMIN'), ofAccount: true };
    expect(verdict({ ...account(['approvals:answer']), role: 'ADMIN' as const }, ofOthers)).toBe('FORBIDDEN');
    const question = { userId: 'user', purpose: 'question' as const, approver: null, ofAccount: true };
    expect(verdict(person('other', 'ADMIN'), question)).toBe('NOT_FOUND');
  });

  it('a question is its user alone, with any key', () => {
    const question = { userId: 'user', purpose: 'question' as const, approver: null };
    expect(verdict(key('user', 'VIEWER', ['agents:call']), question)).toBe('yes');
    expect(verdict(person('other', 'OWNER'), question)).toBe('NOT_FOUND');
  });

  it('is told in the inbox as it would be decided', () => {
    const open = { ...approval('ADMIN'), status: 'PENDING' as const, overdue: false };
    expect(isAnswerable(person('other', 'ADMIN'), open)).toBe(true);
    expect(isAnswerable(key('other', 'ADMIN', ['*']), open)).toBe(false);
    expect(isAnswerable(person('other', 'ADMIN'), { ...open, overdue: true })).toBe(false);
    expect(isAnswerable(person('other', 'ADMIN'), { ...open, status: 'ANSWERED' })).toBe(false);
  });
});
