import { ACTIVITY_KINDS } from '@switchyard/contracts';
import { maySee, readableKinds } from './activity-access';

const MAKER = 'a0000000-0000-0000-0000-000000000000';
const OTHER = 'b0000000-0000-0000-0000-000000000000';

describe('what a caller may see of the activity', () => {
  it('is each kind whose read scope the credential has', () => {
    const kindsOf = (scopes: string[]): string[] => [...readableKinds({ scopes }, {}).keys()];
    expect(kindsOf(['*'])).toEqual([...ACTIVITY_KINDS]);
    expect(kindsOf(['sessions:read'])).toEqual(['turn']);
    expect(kindsOf(['tasks:write', 'events:write'])).toEqual(['execution', 'emission']);
    expect(kindsOf(['jobs:read'])).toEqual(['job']);
    expect(kindsOf(['agents:call', 'datasets:read'])).toEqual([]);
  });

  it('is asked of those services alone that know one of the states', () => {
    const expected = { kind: ['turn', 'job', 'emission'] as const, status: ['WAITING_INPUT', 'DISPATCHED'] };
    expect([...readableKinds({ scopes: ['*'] }, expected)]).toEqual([
      ['turn', ['WAITING_INPUT']],
      ['job', ['WAITING_INPUT']],
      ['emission', ['DISPATCHED']],
    ]);
    expect(readableKinds({ scopes: ['*'] }, { kind: ['emission'], status: ['RUNNING'] }).size).toBe(0);
  });

  it.each([
    ['turn', 'MEMBER', MAKER, true],
    ['turn', 'MEMBER', OTHER, false],
    ['turn', 'VIEWER', MAKER, true],
    ['job', 'MEMBER', OTHER, false],
    ['job', 'ADMIN', OTHER, true],
    ['turn', 'OWNER', OTHER, true],
    ['execution', 'VIEWER', OTHER, true],
    ['emission', 'VIEWER', null, true],
    ['turn', 'MEMBER', null, false],
  ] as const)('a %s to a %s whose row is of %s: %s', (kind, role, userId, isSeen) => {
    expect(maySee({ role, userId: MAKER }, { kind, userId })).toBe(isSeen);
    expect(maySee({ role, userId: null }, { kind, userId: null })).toBe(
      kind === 'execution' || kind === 'emission' || role === 'ADMIN' || role === 'OWNER',
    );
  });

  it.each([
    ['MEMBER', MAKER, true],
    ['MEMBER', OTHER, false],
    ['MEMBER', null, true],
    ['ADMIN', OTHER, true],
  ] as const)('an emission to a %s whose audience is %s: %s', (role, audience, isSeen) => {
    expect(maySee({ role, userId: MAKER }, { kind: 'emission', userId: null, audience })).toBe(isSeen);
  });
});
