import { type Ctx, requireSpace } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';

export const unknownSpace = (): AppError =>
  new AppError('NOT_FOUND', 'This credential opens no such Space. Switch to the Space first if it is one of yours.');

/** The Space of the credential; one that a path names must be the same. */
export function requireOwnSpace(ctx: Ctx, named?: string): string {
  const spaceId = requireSpace(ctx);
  if (named !== undefined && named.toLowerCase() !== spaceId) throw unknownSpace();
  return spaceId;
}
