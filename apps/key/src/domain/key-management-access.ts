import { KeyType, Role, roleAtLeast } from '@switchyard/contracts';

export interface KeyActor {
  userId: string;
  role: Role;
}

export interface KeyOwner {
  type: KeyType;
  /** Whom a USER key acts as; null for an application's key. */
  userId: string | null;
}

/** People manage their own keys; ADMIN and up every key of the Space. The rest do not learn that a key exists. */
export const mayManageKey = (actor: KeyActor, key: KeyOwner): boolean =>
  roleAtLeast(actor.role, 'ADMIN') || (key.type === 'USER' && key.userId === actor.userId);

/**
 * Rotation shows a value that acts as the key's owner, so a key cannot be rotated by a lower role than its owner's:
 * an ADMIN would become OWNER by it. `ownerRole` is null for an application's key.
 */
export const mayTakeOverKey = (actor: KeyActor, key: KeyOwner, ownerRole: Role | null): boolean =>
  key.userId === actor.userId || ownerRole === null || roleAtLeast(actor.role, ownerRole);
