import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * Runs `work` as the body of a database transaction: `isInTransaction` is true for everything it calls, until it ends.
 */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await running.run(transaction, work);
  } finally {
    // Work that was started and not awaited is outside the transaction from now on.
    transaction.isOpen = false;
  }
}

/** Whether the caller runs inside a transaction, which occupies a connection and holds locks. */
export const isInTransaction = (): boolean => running.getStore()?.isOpen === true;
