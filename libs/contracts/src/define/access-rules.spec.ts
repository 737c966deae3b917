import { serviceCtx } from '../ctx';
import { ANY_MEMBER, checkAccess, lending, mayUse, refusalOf } from './access-rules';

const caller = (role: 'VIEWER' | 'MEMBER' | null, scopes: string[] = []) => ({
  ...serviceCtx('gateway'),
  credentialType: 'api_key' as const,
  role,
  scopes,
});

describe('access of an operation', () => {
  it('is asked by scope first, and then by role', () => {
    const rule = { scope: 'tasks:write', role: 'MEMBER' } as const;
    expect(refusalOf(rule, caller('VIEWER'))).toBe('The key lacks the scope tasks:write.');
    expect(refusalOf(rule, caller('VIEWER', ['tasks:write']))).toBe('This needs the role MEMBER or a higher one.');
    expect(refusalOf(rule, caller('MEMBER', ['tasks:write']))).toBeNull();
  });

  it('needs a role of some kind, even where it names none', () => {
    expect(refusalOf(ANY_MEMBER, caller(null, ['*']))).not.toBeNull();
    expect(refusalOf(ANY_MEMBER, caller('VIEWER'))).toBeNull();
  });

  it('takes the key of an application only where it says so', () => {
    const key = { ...caller(null, ['events:emit']), credentialType: 'system_key' as const };
    expect(refusalOf({ scope: 'events:emit' }, key)).toBe("An application's key may only emit its events.");
    expect(refusalOf({ scope: 'events:emit', systemKey: 'only' }, key)).toBeNull();
    expect(refusalOf({ scope: 'events:emit', systemKey: 'only' }, { ...key, scopes: [] })).not.toBeNull();
    expect(refusalOf({ scope: 'mcp:call', systemKey: 'also' }, key)).toBeNull();
    expect(refusalOf({ systemKey: 'only' }, caller('MEMBER', ['*']))).toBe("This needs the application's own key.");
  });

  it('that changes credentials or members refuses a key value that a rotation has replaced', () => {
    const rule = { scope: 'keys:write', role: 'MEMBER', givesRights: true } as const;
    const owner = { ...caller('MEMBER', ['*']), isReplaced: true };
    expect(refusalOf(rule, owner)).toContain('Use the new value');
    expect(refusalOf(rule, { ...owner, isReplaced: false })).toBeNull();
    expect(refusalOf({ scope: 'keys:write', role: 'MEMBER' }, owner)).toBeNull();
  });

  it('is open to the own work of services that it names, and to no other', () => {
    const access = { scope: 'agents:call', ownWork: ['task'] } as const;
    expect(() => {
      checkAccess(access, serviceCtx('task'), 'task');
    }).not.toThrow();
    expect(() => {
      checkAccess(access, serviceCtx('gateway'), 'gateway');
    }).toThrow('The key lacks the scope agents:call.');
    // With a person behind it, it is that person's work.
    expect(() => {
      checkAccess(access, { ...serviceCtx('task'), role: 'OWNER' }, 'task');
    }).toThrow('The key lacks the scope agents:call.');
  });

  it('is never from outside where it is internal', () => {
    expect(mayUse({ access: 'internal' }, caller('MEMBER', ['*']))).toBe(false);
    expect(mayUse({ access: 'public' }, caller(null))).toBe(true);
  });
});

describe('a scope that a service lends', () => {
  const contract = { access: { scope: 'datasets:read' } } as const;

  it('is the one of the call, beside those of the caller, and no role', () => {
    const lent = lending(caller(null, ['agents:call']), contract);
    expect(lent.scopes).toEqual(['agents:call', 'datasets:read']);
    expect(lent.role).toBeNull();
  });

  it('is not said twice', () => {
    const ctx = caller('MEMBER', ['datasets:write']);
    expect(lending(ctx, contract)).toBe(ctx);
    expect(lending(ctx, { access: 'internal' })).toBe(ctx);
  });
});
