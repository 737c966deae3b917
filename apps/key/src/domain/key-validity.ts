import type { KeyType, Role } from '@switchyard/contracts';
import { isPast } from './key-status';

export interface KeyState {
  type: KeyType;
  revokedAt: string | null;
  expiresAt: string | null;
  /** The end of a value's grace; null for the present value. */
  valueEndsAt: string | null;
  /** The owner's role now; null when the owner is no member any more, and for an application's key. */
  role: Role | null;
  /**
   * The owner of the key, or the creator of an operator's key; null without one, or if the account is deleted.
   */
  ownerIsDisabled: boolean | null;
  ownerIsOperator: boolean | null;
  /** The creator of the key; null: the platform. */
  createdBy: string | null;
}

/**
 * Whether a key opens anything at this moment. A person's key lives no longer than the membership, an operator's no
 * longer than the person is an operator; while an account is disabled, neither opens anything.
 */
export const opensNow = (key: KeyState, now: Date): boolean =>
  key.revokedAt === null && !isPast(key.expiresAt, now) && !isPast(key.valueEndsAt, now) && isOwned(key);

function isOwned({ type, role, createdBy, ownerIsDisabled, ownerIsOperator }: KeyState): boolean {
  switch (type) {
    case 'SYSTEM':
      return true;
    case 'USER':
      return role !== null && ownerIsDisabled !== true;
    case 'OPERATOR':
      return createdBy === null || (ownerIsOperator === true && ownerIsDisabled === false);
  }
}
