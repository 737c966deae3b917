import { checkAgentOf, checkMayRead, checkMayWrite } from './session-access';

const owner = { userId: 'a', role: 'MEMBER' as const };
const other = { userId: 'b', role: 'MEMBER' as const };
const admin = { userId: 'c', role: 'ADMIN' as const };

describe('access to what a person made in conversation', () => {
  it('lets its maker read and write', () => {
    expect(() => checkMayRead(owner, 'a', 'session')).not.toThrow();
    expect(() => checkMayWrite(owner, 'a', 'session')).not.toThrow();
  });

  it('does not exist for another member', () => {
    expect(() => checkMayRead(other, 'a', 'session')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(() => checkMayWrite(other, 'a', 'session')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('can be read by an admin and not written', () => {
    expect(() => checkMayRead(admin, 'a', 'session')).not.toThrow();
    expect(() => checkMayWrite(admin, 'a', 'session')).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });

  it('is nothing to a context without a person', () => {
    expect(() => checkMayRead({ userId: null, role: null }, 'a', 'turn')).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });

  it('belongs to one agent, or to none yet', () => {
    expect(() => checkAgentOf({ agentId: 'x' }, 'x')).not.toThrow();
    expect(() => checkAgentOf({ agentId: null }, 'x')).not.toThrow();
    expect(() => checkAgentOf({ agentId: 'y' }, 'x')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});
