import { Role } from '@switchyard/contracts';
import { mayManageKey, mayTakeOverKey } from './key-management-access';

const ada = (role: Role): { userId: string; role: Role } => ({ userId: 'ada', role });
const own = { type: 'USER', userId: 'ada' } as const;
const bobs = { type: 'USER', userId: 'bob' } as const;
const application = { type: 'SYSTEM', userId: null } as const;

describe('keys', () => {
  it.each<[Role, boolean, boolean, boolean]>([
    ['MEMBER', true, false, false],
    ['ADMIN', true, true, true],
    ['OWNER', true, true, true],
  ])('%s manages own %s, others %s, applications %s', (role, ofMine, ofOthers, ofApplications) => {
    expect(mayManageKey(ada(role), own)).toBe(ofMine);
    expect(mayManageKey(ada(role), bobs)).toBe(ofOthers);
    expect(mayManageKey(ada(role), application)).toBe(ofApplications);
  });

  it.each<[Role, Role | null, boolean]>([
    ['ADMIN', 'OWNER', false],
    ['ADMIN', 'ADMIN', true],
    ['ADMIN', 'MEMBER', true],
    ['OWNER', 'OWNER', true],
    ['ADMIN', null, true],
  ])('%s takes over the key of %s: %s', (role, ownerRole, allowed) => {
    expect(mayTakeOverKey(ada(role), ownerRole === null ? application : bobs, ownerRole)).toBe(allowed);
  });

  it('may always be rotated by the person they act as', () => {
    expect(mayTakeOverKey(ada('MEMBER'), own, 'OWNER')).toBe(true);
  });
});
