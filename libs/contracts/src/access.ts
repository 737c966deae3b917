export const ROLES = ['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

export const roleAtLeast = (role: Role | null, least: Role): boolean =>
  role !== null && ROLES.indexOf(role) >= ROLES.indexOf(least);

export const SCOPES = [
  'agents:read',
  'agents:write',
  'agents:call',
  'sessions:read',
  'sessions:write',
  'jobs:read',
  'jobs:write',
  'tasks:read',
  'tasks:write',
  'tasks:execute',
  'datasets:read',
  'datasets:write',
  'keys:read',
  'keys:write',
  'events:read',
  'events:write',
  'events:emit',
  'models:call',
  'spaces:read',
  'spaces:write',
  'secrets:read',
  'secrets:write',
  'mcp:call',
  'approvals:answer',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of the routes under `/operator`. They are not part of a Space's scopes, nor of `*`. */
export const OPERATOR_SCOPES = ['operator:read', 'operator:write', 'operator:nats'] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** `operator:write` includes `operator:read`. */
export const hasOperatorScope = (leased: readonly OperatorScope[], needed: OperatorScope): boolean =>
  leased.includes(needed) || (needed === 'operator:read' && leased.includes('operator:write'));

/** Must be granted by name: the key that serves a customer must not approve what an agent does for the customer. */
const NAMED_ONLY: ReadonlySet<Scope> = new Set<Scope>(['approvals:answer']);

/** `*` includes every scope that need not be granted by name; `x:write` includes `x:read`. */
export function hasScope(leased: readonly string[], needed: Scope): boolean {
  if (leased.includes(needed)) return true;
  if (NAMED_ONLY.has(needed)) return false;
  if (leased.includes('*')) return true;
  const [area, verb] = needed.split(':');
  return verb === 'read' && leased.includes(`${area}:write`);
}
