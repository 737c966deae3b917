import { AppError } from '@switchyard/kernel';
import {
  type AccessScope,
  type BuiltinTool,
  type Ctx,
  type KnowledgeSource,
  missingScopes,
  type Role,
  roleAtLeast,
  scopesOfAgent,
} from '@switchyard/contracts';

export interface Caller {
  userId: string | null;
  role: Role | null;
}

export interface AccessRule {
  accessScope: AccessScope;
  allowedUserIds: readonly string[];
}

export interface Accessible extends AccessRule {
  createdBy: string | null;
  system: boolean;
}

/** Callers: all members of the Space, or exactly the listed people (the creator only when listed). */
export const mayCall = (caller: Caller, agent: Accessible): boolean =>
  agent.accessScope === 'SPACE' || (caller.userId !== null && agent.allowedUserIds.includes(caller.userId));

export const mayEdit = (caller: Caller, agent: Accessible): boolean =>
  !agent.system && (roleAtLeast(caller.role, 'ADMIN') || (caller.userId !== null && caller.userId === agent.createdBy));

export function requireCallable(caller: Caller, agent: Accessible): void {
  if (!mayCall(caller, agent)) {
    throw new AppError(
      'FORBIDDEN',
      'This agent is restricted to certain people; ask its owner to add you to allowedUserIds.',
    );
  }
}

export function requireEditable(caller: Caller, agent: Accessible): void {
  if (agent.system) throw new AppError('FORBIDDEN', 'System agents are built in and cannot be changed.');
  if (!mayEdit(caller, agent))
    throw new AppError('FORBIDDEN', 'Only the creator of an agent and ADMINs may change it.');
}

/**
 * An agent may later be called by people and keys that lack the scopes its tools use. So every save requires these
 * scopes of its caller: an agent saved by a key cannot exceed the key's scopes.
 */
export function requireAuthority(
  caller: Pick<Ctx, 'role' | 'scopes'>,
  agent: { tools: readonly BuiltinTool[]; knowledge: readonly KnowledgeSource[] },
): void {
  const missing = missingScopes(caller, scopesOfAgent(agent));
  if (missing.length === 0) return;
  throw new AppError(
    'FORBIDDEN',
    `The tools and knowledge of this agent use ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}, which this credential does not have.`,
  );
}

export interface AccessChange {
  from: AccessScope;
  to: AccessScope;
  added: string[];
  removed: string[];
}

/** The changed access rule of an agent; null if unchanged. */
export function accessChange(before: AccessRule, after: AccessRule): AccessChange | null {
  const added = after.allowedUserIds.filter((id) => !before.allowedUserIds.includes(id));
  const removed = before.allowedUserIds.filter((id) => !after.allowedUserIds.includes(id));
  if (before.accessScope === after.accessScope && added.length === 0 && removed.length === 0) return null;
  return { from: before.accessScope, to: after.accessScope, added, removed };
}
