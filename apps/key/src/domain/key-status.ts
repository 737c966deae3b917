import type { KeyStatus } from '@switchyard/contracts';

export interface KeyLife {
  revokedAt: string | null;
  expiresAt: string | null;
}

export const isPast = (time: string | null, now: Date): boolean => time !== null && Date.parse(time) <= now.getTime();

export function keyStatus(key: KeyLife, now: Date): KeyStatus {
  if (key.revokedAt !== null) return 'REVOKED';
  return isPast(key.expiresAt, now) ? 'EXPIRED' : 'ACTIVE';
}

/** The nearer of two ends; null is never. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) <= Date.parse(b) ? a : b;
}
