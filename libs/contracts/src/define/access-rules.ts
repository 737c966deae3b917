import { AppError } from '@switchyard/kernel';
import { type OperatorScope, type Role, type Scope, hasOperatorScope, hasScope, roleAtLeast } from '../access';
import type { Ctx, Identity } from '../ctx';
import type { ServiceName } from '../services';

/** What a caller of a Space needs. Without a scope and a role: any credential of a Space will do. */
export interface AccessRule {
  scope?: Scope;
  /** The least role (VIEWER when not said). */
  role?: Role;
  /** Takes the key of an application as well; `only`: nothing else. */
  systemKey?: 'also' | 'only';
  /** Makes or changes credentials or members: not for a key value that a rotation has replaced. */
  givesRights?: true;
  /** Services that may also make the call for themselves, with nobody behind it: to stop what they began, for instance. */
  ownWork?: readonly ServiceName[];
  /**
   * Only for operators of the platform, with this scope; nothing else of the rule counts but `strong`. The gateway answers
   * everybody else as if the route were not there. The context names no Space.
   */
  operator?: OperatorScope;
  /** Of an operator's operation: needs a person who signed in within the last ten minutes. */
  strong?: true;
  /** Also for a signed-in person who belongs to no Space. */
  withoutSpace?: true;
  /** Also for the key of an operator, which opens no other operation of a Space. */
  operatorKey?: true;
}

/** How long after the sign-in a strong operation is open. */
export const STRONG_FOR_MS = 600_000;

/**
 * Who may use an operation. `public`: whoever is there, without a credential. `internal`: services alone, those among its
 * `callers`; whose work it is for is no matter.
 */
export type Access = 'public' | 'internal' | AccessRule;

/** Any credential of a Space. */
export const ANY_MEMBER: AccessRule = {};

type Judged = Pick<Identity, 'credentialType' | 'role' | 'scopes' | 'isReplaced' | 'operator'>;

function operatorRefusalOf(scope: OperatorScope, { strong }: AccessRule, { operator }: Judged): string | null {
  if (operator === undefined) return 'This needs an operator of the platform.';
  if (strong && operator.signedInAt === null)
    return 'This needs a person who signed in within the last ten minutes, not a key: sign in again.';
  if (!hasOperatorScope(operator.scopes, scope)) return `The key lacks the scope ${scope}.`;
  if (strong && Date.now() - (operator.signedInAt ?? 0) > STRONG_FOR_MS)
    return 'This needs a sign-in within the last ten minutes: sign in again.';
  return null;
}

/** Whether the caller is a signed-in person who has opened no Space. */
const isWithoutSpace = ({ credentialType, role }: Judged): boolean => credentialType === 'jwt' && role === null;

/** Why this caller may not, in words for the caller; null where nothing stands against it. */
export function refusalOf(rule: AccessRule, caller: Judged): string | null {
  if (rule.operator !== undefined) return operatorRefusalOf(rule.operator, rule, caller);
  if (caller.credentialType === 'operator_key')
    return rule.operatorKey ? null : 'The key of an operator opens the routes under /operator alone.';
  if (isWithoutSpace(caller))
    return rule.withoutSpace ? null : 'This sign-in has opened no Space. Create one, or switch to one of yours.';
  const isSystem = caller.credentialType === 'system_key';
  if (isSystem && rule.systemKey === undefined) return "An application's key may only emit its events.";
  if (!isSystem && rule.systemKey === 'only') return "This needs the application's own key.";
  // An application's key holds no scope but its own: what serves it beside others looks at each use by itself.
  const isJudgedByOwner = isSystem && rule.systemKey === 'also';
  if (!isJudgedByOwner && rule.scope !== undefined && !hasScope(caller.scopes, rule.scope))
    return `The key lacks the scope ${rule.scope}.`;
  const role = rule.role ?? 'VIEWER';
  if (!isSystem && !roleAtLeast(caller.role, role)) return `This needs the role ${role} or a higher one.`;
  if (rule.givesRights && caller.isReplaced)
    return 'A rotation has replaced this value of the API key. Use the new value to change credentials or members.';
  return null;
}

/** Approvals are decided by people with their access tokens, and by keys that were given the right by name. */
export const mayAnswerApprovals = ({ credentialType, scopes }: Pick<Identity, 'credentialType' | 'scopes'>): boolean =>
  credentialType === 'jwt' || hasScope(scopes, 'approvals:answer');

export function requireApprovalScope(caller: Pick<Identity, 'credentialType' | 'scopes'>): void {
  if (mayAnswerApprovals(caller)) return;
  throw new AppError(
    'FORBIDDEN',
    'The key lacks the scope approvals:answer, which approving and denying needs. `*` does not include it.',
  );
}

/** A service that works for itself: nobody's credential is behind it, and so no role. */
const isOwnWork = ({ credentialType, role }: Identity): boolean => credentialType === 'service' && role === null;

/** Holds a caller to what an operation demands, whichever service brings it. Throws FORBIDDEN. */
export function checkAccess(access: Access, ctx: Identity, sender: string): void {
  if (typeof access === 'string') return;
  // Only for a request from outside: services that act for an operator are no operators.
  if (access.operator !== undefined && sender !== 'gateway')
    throw new AppError('FORBIDDEN', 'This is for requests of operators themselves.');
  if (isOwnWork(ctx) && access.ownWork?.some((service) => service === sender)) return;
  const refusal = refusalOf(access, ctx);
  if (refusal !== null) throw new AppError('FORBIDDEN', refusal);
}

/** Whether a caller may use an operation that is open to callers from outside. */
export const mayUse = ({ access }: { access: Access }, ctx: Identity): boolean =>
  typeof access === 'string' ? access === 'public' : refusalOf(access, ctx) === null;

export const scopeOf = ({ access }: { access: Access }): Scope | null =>
  typeof access === 'string' ? null : (access.scope ?? null);

/**
 * The context for a call that is part of what its caller was allowed to ask for: an agent's tool, the agent of a job. The
 * service lends the scope of this one call; the role stays the caller's own.
 */
export function lending(ctx: Ctx, contract: { access: Access }): Ctx {
  const scope = scopeOf(contract);
  return scope === null || hasScope(ctx.scopes, scope) ? ctx : { ...ctx, scopes: [...ctx.scopes, scope] };
}
