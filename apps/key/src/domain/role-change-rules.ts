import { ROLES, Role, roleAtLeast } from '@switchyard/contracts';

export type MemberRefusal = 'NEEDS_ADMIN' | 'NEEDS_OWNER' | 'LAST_OWNER';

export interface RoleChange {
  actor: Role;
  /** The role before; null for somebody new. */
  from: Role | null;
  /** The new role; null if the member is removed. */
  to: Role | null;
  /** Owners of the Space before the change. */
  owners: number;
}

/** Why a change of a member's role may not happen, or null when it may. */
export function refuseRoleChange({ actor, from, to, owners }: RoleChange): MemberRefusal | null {
  if (!roleAtLeast(actor, 'ADMIN')) return 'NEEDS_ADMIN';
  const touchesOwner = from === 'OWNER' || to === 'OWNER';
  if (touchesOwner && actor !== 'OWNER') return 'NEEDS_OWNER';
  if (from === 'OWNER' && to !== 'OWNER' && owners <= 1) return 'LAST_OWNER';
  return null;
}

/** The roles that this role may not grant; null: no member. */
export const rolesBeyond = (role: Role | null): Role[] =>
  ROLES.filter(
    (granted) => role === null || refuseRoleChange({ actor: role, from: null, to: granted, owners: 1 }) !== null,
  );
