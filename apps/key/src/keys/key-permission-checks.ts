import { type Ctx, type KeyLimits, type Scope, requireUser } from '@switchyard/contracts';
import { AppError, invalid } from '@switchyard/kernel';
import type { KeyActor } from '../domain/key-management-access';
import { limitsBeyond } from '../domain/key-limits';
import { isPast } from '../domain/key-status';
import { scopesBeyond } from '../domain/missing-scopes';

export const unknownKey = (): AppError => new AppError('NOT_FOUND', 'API key not found.');

export function keyActor(ctx: Ctx): KeyActor {
  if (ctx.role === null) throw new AppError('FORBIDDEN', 'An application cannot manage keys.');
  return { userId: requireUser(ctx), role: ctx.role };
}

export function refuseMoreThanOwnScopes(ctx: Ctx, requested: readonly Scope[]): void {
  const beyond = scopesBeyond(ctx.scopes, requested);
  if (beyond.length > 0) throw new AppError('FORBIDDEN', `This credential does not hold ${beyond.join(', ')} itself.`);
}

/** A key can only grant scopes that it has. */
export function refuseMoreThanOwnLimits(own: KeyLimits, requested: KeyLimits): void {
  const beyond = limitsBeyond(own, requested);
  if (beyond.length > 0)
    throw new AppError('FORBIDDEN', `This key is limited itself and cannot allow more: ${beyond.join(', ')}.`);
}

export function refuseWidening(before: readonly Scope[], after: readonly Scope[]): void {
  const beyond = scopesBeyond(before, after);
  if (beyond.length > 0) {
    throw new AppError('FORBIDDEN', `The scopes of a key can only shrink; ${beyond.join(', ')} would be new.`);
  }
}

export function refuseExpiry(expiresAt: string | null | undefined, now: Date): void {
  if (expiresAt !== null && expiresAt !== undefined && isPast(expiresAt, now)) {
    throw invalid('expiresAt', 'must be in the future');
  }
}
