import { SCOPES, Scope } from '@switchyard/contracts';
import { distinctScopes, scopesBeyond } from './missing-scopes';

describe('scopes', () => {
  it.each<[Scope[], Scope[], Scope[]]>([
    [['*'], SCOPES.filter((scope) => scope !== 'approvals:answer'), []],
    [['*'], ['approvals:answer'], ['approvals:answer']],
    [['approvals:answer'], ['approvals:answer'], []],
    [['agents:write'], ['agents:read', 'agents:write'], []],
    [['agents:read'], ['agents:write'], ['agents:write']],
    [['agents:write'], ['agents:call'], ['agents:call']],
    [['agents:write'], ['sessions:read'], ['sessions:read']],
    [['tasks:execute'], ['tasks:read'], ['tasks:read']],
    [['events:write'], ['events:emit'], ['events:emit']],
    [[], ['keys:read'], ['keys:read']],
  ])('%p asked for %p lacks %p', (leased, expected, beyond) => {
    expect(scopesBeyond(leased, expected)).toEqual(beyond);
  });

  it('of everything but the star never make a star', () => {
    const allButStar = SCOPES.filter((scope) => scope !== '*');
    expect(scopesBeyond(allButStar, ['*'])).toEqual(['*']);
  });

  it('are kept once each', () => {
    expect(distinctScopes(['keys:read', 'agents:call', 'keys:read'])).toEqual(['keys:read', 'agents:call']);
  });
});
