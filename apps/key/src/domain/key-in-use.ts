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
}

/** Whether a key opens anything at this moment. A person's key lives no longer than the membership. */
export const opensNow = (key: KeyState, now: Date): boolean =>
  key.revokedAt === null &&
  !isPast(key.expiresAt, now) &&
  !isPast(key.valueEndsAt, now) &&
  (key.type === 'SYSTEM' || key.role !== null);
