import { AppError } from '@switchyard/kernel';
import type { Ctx } from '@switchyard/contracts';
import type { Database } from './database';
import { type OnceOptions, earlierAnswer } from './idempotency';
import type { Tx } from './transaction';

/**
 * As `Database.once`, with a precondition check (existence, quota). A repeat gets the first reply, even if the
 * precondition has changed; callers who have lost access are refused.
 */
export async function onceAfter<A, T extends object>(
  database: Database,
  ctx: Ctx,
  look: () => Promise<A>,
  work: (tx: Tx, found: A) => Promise<T>,
  options: OnceOptions = {},
): Promise<T> {
  let found: A;
  try {
    found = await look();
  } catch (error) {
    if (!ctx.idempotency || (error instanceof AppError && error.code === 'FORBIDDEN')) throw error;
    const earlier = await database.transaction(ctx, (tx) => earlierAnswer<T>(tx, ctx));
    if (!earlier) throw error;
    return earlier.answer;
  }
  return database.once(ctx, (tx) => work(tx, found), options);
}
