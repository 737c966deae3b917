import { accessChange, mayCall, mayEdit } from './access';

const agent = { accessScope: 'RESTRICTED' as const, allowedUserIds: ['listed'], createdBy: 'creator', system: false };

describe('who may do what with an agent', () => {
  it.each([
    ['listed', 'MEMBER', true, false],
    ['creator', 'MEMBER', false, true],
    ['someone', 'MEMBER', false, false],
    ['someone', 'ADMIN', false, true],
    ['someone', 'OWNER', false, true],
    [null, null, false, false],
  ] as const)('%s (%s): call %s, edit %s', (userId, role, call, edit) => {
    expect(mayCall({ userId, role }, agent)).toBe(call);
    expect(mayEdit({ userId, role }, agent)).toBe(edit);
  });

  it('lets every member call an open agent, and refuses changes of a built-in one', () => {
    expect(mayCall({ userId: 'x', role: 'VIEWER' }, { ...agent, accessScope: 'SPACE' })).toBe(true);
    expect(mayEdit({ userId: 'x', role: 'OWNER' }, { ...agent, system: true })).toBe(false);
  });

  it('tells what a change of the rule was, and nothing where there is none', () => {
    const open = { accessScope: 'SPACE' as const, allowedUserIds: ['a', 'b'] };
    expect(accessChange(open, { accessScope: 'RESTRICTED', allowedUserIds: ['b', 'c'] })).toEqual({
      from: 'SPACE',
      to: 'RESTRICTED',
      added: ['c'],
      removed: ['a'],
    });
    expect(accessChange(open, { ...open, allowedUserIds: ['b', 'a'] })).toBeNull();
  });
});
