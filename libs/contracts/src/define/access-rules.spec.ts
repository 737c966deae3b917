import { OPERATOR_SCOPES, type OperatorScope } from '../access';
import { serviceCtx } from '../call-context';
import { ANY_MEMBER, checkAccess, lending, mayUse, refusalOf, requireApprovalScope } from './access-rules';

const caller = (role: 'VIEWER' | 'MEMBER' | null, scopes: string[] = []) => ({
  ...serviceCtx('gateway'),
  credentialType: 'api_key' as const,
  role,
  scopes,
});

describe('access of an operation', () => {
  it('is checked by scope first, and then by role', () => {
    const rule = { scope: 'tasks:write', role: 'MEMBER' } as const;
    expect(refusalOf(rule, caller('VIEWER'))).toBe('The key lacks the scope tasks:write.');
    expect(refusalOf(rule, caller('VIEWER', ['tasks:write']))).toBe('This needs the role MEMBER or a higher one.');
    expect(refusalOf(rule, caller('MEMBER', ['tasks:write']))).toBeNull();
  });

  it('names the kind of credential that lacks a scope', () => {
    const account = { ...caller('MEMBER', ['tasks:read']), credentialType: 'nats_account' as const };
    expect(refusalOf({ scope: 'tasks:write' }, account)).toBe('The NATS account lacks the scope tasks:write.');
    const refused = (who: Parameters<typeof requireApprovalScope>[0]) => () => {
      requireApprovalScope(who);
    };
    expect(refused(account)).toThrow('The NATS account lacks the scope approvals:answer, which');
    expect(refused(caller('MEMBER'))).toThrow('The key lacks the scope approvals:answer, which');
  });

  it('needs a role of some kind, even where it names none', () => {
    expect(refusalOf(ANY_MEMBER, caller(null, ['*']))).not.toBeNull();
    expect(refusalOf(ANY_MEMBER, caller('VIEWER'))).toBeNull();
  });

  it("accepts an application's key only if the rule allows it", () => {
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
    // With a user in the context, it is that user's work.
    expect(() => {
      checkAccess(access, { ...serviceCtx('task'), role: 'OWNER' }, 'task');
    }).toThrow('The key lacks the scope agents:call.');
  });

  it('is never from outside where it is internal', () => {
    expect(mayUse({ access: 'internal' }, caller('MEMBER', ['*']))).toBe(false);
    expect(mayUse({ access: 'public' }, caller(null))).toBe(true);
  });
});

describe('access of an operation for operators', () => {
  const NOW = Date.now();
  const person = (signedInAt: number | null, scopes = OPERATOR_SCOPES as readonly OperatorScope[]) => ({
    ...caller(null),
    credentialType: 'jwt' as const,
    operator: { scopes, signedInAt },
  });
  const reads = { operator: 'operator:read' } as const;
  const strong = { operator: 'operator:write', strong: true } as const;

  it('is refused to every role and scope of a Space', () => {
    expect(refusalOf(reads, caller('MEMBER', ['*']))).not.toBeNull();
    expect(refusalOf(reads, { ...caller(null), operator: { scopes: ['operator:read'], signedInAt: null } })).toBeNull();
  });

  it('needs the scope, where writing includes reading and nothing includes the list of NATS accounts', () => {
    const key = (scope: OperatorScope) => ({ ...caller(null), operator: { scopes: [scope], signedInAt: null } });
    expect(refusalOf(reads, key('operator:write'))).toBeNull();
    expect(refusalOf(reads, key('operator:nats'))).toBe('The key lacks the scope operator:read.');
    expect(refusalOf({ operator: 'operator:write' }, key('operator:read'))).not.toBeNull();
    expect(refusalOf({ operator: 'operator:nats' }, key('operator:write'))).not.toBeNull();
  });

  it('requires a person who signed in within ten minutes, if it is strong', () => {
    expect(refusalOf(strong, person(NOW - 590_000))).toBeNull();
    expect(refusalOf(strong, person(NOW - 601_000))).toContain('sign in again');
    expect(refusalOf(strong, person(null))).toContain('sign in again');
  });

  it('is never for a service that acts for an operator', () => {
    expect(() => {
      checkAccess(reads, person(NOW), 'agent');
    }).toThrow('requests of operators themselves');
    expect(() => {
      checkAccess(reads, person(NOW), 'gateway');
    }).not.toThrow();
  });

  it("is not available to an operator's key, unless the rule allows it", () => {
    const key = { ...caller(null, ['*']), credentialType: 'operator_key' as const };
    expect(refusalOf(ANY_MEMBER, key)).toContain('under /operator alone');
    expect(refusalOf({ scope: 'mcp:call', systemKey: 'also' }, key)).toContain('under /operator alone');
    expect(refusalOf({ operatorKey: true }, key)).toBeNull();
  });

  it('differs from the access of a person without a Space', () => {
    const nobody = { ...caller(null, ['*']), credentialType: 'jwt' as const };
    expect(refusalOf(ANY_MEMBER, nobody)).toContain('opened no Space');
    expect(refusalOf({ withoutSpace: true, role: 'MEMBER' }, nobody)).toBeNull();
  });
});

describe('a scope that a service lends', () => {
  const contract = { access: { scope: 'datasets:read' } } as const;

  it('is the one of the call, added to those of the caller, and no role', () => {
    const lent = lending(caller(null, ['agents:call']), contract);
    expect(lent.scopes).toEqual(['agents:call', 'datasets:read']);
    expect(lent.role).toBeNull();
  });

  it('is not added twice', () => {
    const ctx = caller('MEMBER', ['datasets:write']);
    expect(lending(ctx, contract)).toBe(ctx);
    expect(lending(ctx, { access: 'internal' })).toBe(ctx);
  });
});
