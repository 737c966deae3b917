import { ROLES, Role } from '@switchyard/contracts';
import { MemberRefusal, RoleChange, refuseRoleChange, rolesBeyond } from './role-change-rules';

const change = (actor: Role, from: Role | null, to: Role | null, owners = 2): RoleChange => ({
  actor,
  from,
  to,
  owners,
});

describe('roles', () => {
  it.each<[Role, Role | null, Role | null, MemberRefusal | null]>([
    ['ADMIN', null, 'VIEWER', null],
    ['ADMIN', null, 'ADMIN', null],
    ['ADMIN', null, 'OWNER', 'NEEDS_OWNER'],
    ['ADMIN', 'MEMBER', 'ADMIN', null],
    ['ADMIN', 'ADMIN', 'VIEWER', null],
    ['ADMIN', 'ADMIN', null, null],
    ['ADMIN', 'MEMBER', 'OWNER', 'NEEDS_OWNER'],
    ['ADMIN', 'OWNER', 'ADMIN', 'NEEDS_OWNER'],
    ['ADMIN', 'OWNER', null, 'NEEDS_OWNER'],
    ['OWNER', null, 'OWNER', null],
    ['OWNER', 'OWNER', 'MEMBER', null],
    ['OWNER', 'OWNER', null, null],
  ])('%s may change %s to %s: %s', (actor, from, to, refusal) => {
    expect(refuseRoleChange(change(actor, from, to))).toBe(refusal);
  });

  it.each<[Role | null]>([['ADMIN'], ['MEMBER'], ['VIEWER'], [null]])('keeps the last OWNER from becoming %s', (to) => {
    expect(refuseRoleChange(change('OWNER', 'OWNER', to, 1))).toBe('LAST_OWNER');
  });

  it('lets the last OWNER stay OWNER', () => {
    expect(refuseRoleChange(change('OWNER', 'OWNER', 'OWNER', 1))).toBeNull();
  });

  it('refuses changes of any member below ADMIN', () => {
    for (const actor of ['VIEWER', 'MEMBER'] as const) {
      for (const from of [...ROLES, null]) {
        for (const to of [...ROLES, null]) expect(refuseRoleChange(change(actor, from, to))).toBe('NEEDS_ADMIN');
      }
    }
  });
});

describe('the roles that a person may not grant', () => {
  it('are none for an OWNER, OWNER for an ADMIN, and all for the others', () => {
    expect(rolesBeyond('OWNER')).toEqual([]);
    expect(rolesBeyond('ADMIN')).toEqual(['OWNER']);
    expect(rolesBeyond('MEMBER')).toHaveLength(4);
    expect(rolesBeyond('VIEWER')).toHaveLength(4);
    expect(rolesBeyond(null)).toHaveLength(4);
  });
});
