import { AppError } from '@switchyard/kernel';
import { type OperatorScope, type Role, type Scope, hasOperatorScope, hasScope, roleAtLeast } from '../access';
import type { Ctx, Identity } from '../call-context';
import type { ServiceName } from '../services';

/** Required scope and role of a caller. Without both: every credential of a Space is accepted. */
export interface AccessRule {
  scope?: Scope;
  /** Lowest role (default VIEWER). */
  role?: Role;
  /** Accepts application keys as well (`also`) or exclusively (`only`). */
  systemKey?: 'also' | 'only';
  /**
   * Creates or changes credentials, members or applications: refused for key values that were rotated out, and for NATS
   * accounts.
   */
  givesRights?: true;
  /** Refused for NATS accounts. */
  notNatsAccounts?: true;
  /** With `systemKey: 'only'`: also for NATS accounts, whose limits the owner of the operation checks. */
  natsAccount?: true;
  /** Services that may also call this without a user, for instance to stop work that they started. */
  ownWork?: readonly ServiceName[];
  /**
   * Only for operators with this scope; of the rest of the rule, only `strong` applies. For others the route is a 404.
   * The context has no Space.
   */
  operator?: OperatorScope;
  /** For operators: requires a sign-in within the last ten minutes. */
  strong?: true;
  /** Also for signed-in people without a Space. */
  withoutSpace?: true;
  /** Also for an operator's key, which opens no other operation of a Space. */
  operatorKey?: true;
}

/** How long after the sign-in strong operations are allowed. */
export const STRONG_FOR_MS = 600_000;

/** `public`: no credential required. `internal`: only services in `callers`, for any or no user. */
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

/** The text of a refusal for want of a scope. A NATS account has no key. */
export const lacksScope = ({ credentialType }: Pick<Identity, 'credentialType'>, scope: Scope): string =>
  `The ${credentialType === 'nats_account' ? 'NATS account' : 'key'} lacks the scope ${scope}`;

/** A signed-in person who has not opened a Space. */
const isWithoutSpace = ({ credentialType, role }: Judged): boolean => credentialType === 'jwt' && role === null;

/** The reason for a refusal, as text for the caller; null if access is allowed. */
export function refusalOf(rule: AccessRule, caller: Judged): string | null {
  if (rule.operator !== undefined) return operatorRefusalOf(rule.operator, rule, caller);
  if (caller.credentialType === 'operator_key')
    return rule.operatorKey ? null : 'The key of an operator opens the routes under /operator alone.';
  if (isWithoutSpace(caller))
    return rule.withoutSpace ? null : 'This sign-in has opened no Space. Create one, or switch to one of yours.';
  const isSystem = caller.credentialType === 'system_key';
  if (isSystem && rule.systemKey === undefined) return "An application's key may only emit its events.";
  const isAccount = caller.credentialType === 'nats_account';
  if (isAccount && (rule.givesRights || rule.notNatsAccounts))
    return 'A NATS account changes no credentials, members, Spaces or applications.';
  if (!isSystem && rule.systemKey === 'only' && !(isAccount && rule.natsAccount))
    return "This needs the application's own key.";
  // An application's key has only its own scope: services that accept it besides others check each use.
  const isJudgedByOwner = isSystem && rule.systemKey === 'also';
  if (!isJudgedByOwner && rule.scope !== undefined && !hasScope(caller.scopes, rule.scope))
    return `${lacksScope(caller, rule.scope)}.`;
  const role = rule.role ?? 'VIEWER';
  if (!isSystem && !roleAtLeast(caller.role, role)) return `This needs the role ${role} or a higher one.`;
  if (rule.givesRights && caller.isReplaced)
    return 'A rotation has replaced this value of the API key. Use the new value to change credentials or members.';
  return null;
}

/** Approvals are answered by people with access tokens, and by keys with this scope granted by name. */
export const mayAnswerApprovals = ({ credentialType, scopes }: Pick<Identity, 'credentialType' | 'scopes'>): boolean =>
  credentialType === 'jwt' || hasScope(scopes, 'approvals:answer');

export function requireApprovalScope(caller: Pick<Identity, 'credentialType' | 'scopes'>): void {
  if (mayAnswerApprovals(caller)) return;
  throw new AppError(
    'FORBIDDEN',
    `${lacksScope(caller, 'approvals:answer')}, which approving and denying needs. \`*\` does not include it.`,
  );
}

/** A service acting for itself, without a credential or a role. */
const isOwnWork = ({ credentialType, role }: Identity): boolean => credentialType === 'service' && role === null;

/** Enforces an operation's access rule for calls from any service. Throws FORBIDDEN. */
export function checkAccess(access: Access, ctx: Identity, sender: string): void {
  if (typeof access === 'string') return;
  // Operator rights count only from the gateway; services that act for an operator do not have them.
  if (access.operator !== undefined && sender !== 'gateway')
    throw new AppError('FORBIDDEN', 'This is for requests of operators themselves.');
  if (isOwnWork(ctx) && access.ownWork?.some((service) => service === sender)) return;
  const refusal = refusalOf(access, ctx);
  if (refusal !== null) throw new AppError('FORBIDDEN', refusal);
}

/** Whether the caller may use an externally available operation. */
export const mayUse = ({ access }: { access: Access }, ctx: Identity): boolean =>
  typeof access === 'string' ? access === 'public' : refusalOf(access, ctx) === null;

export const scopeOf = ({ access }: { access: Access }): Scope | null =>
  typeof access === 'string' ? null : (access.scope ?? null);

/**
 * Context of a nested call that the caller was allowed to trigger (an agent's tool, a job's agent). Adds the scope of
 * this call; the role stays the caller's.
 */
export function lending(ctx: Ctx, contract: { access: Access }): Ctx {
  const scope = scopeOf(contract);
  return scope === null || hasScope(ctx.scopes, scope) ? ctx : { ...ctx, scopes: [...ctx.scopes, scope] };
}
