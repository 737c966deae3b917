import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Runs `work` as the content of a database transaction: until it ends, `isInTransaction` says so to all that it calls. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await running.run(transaction, work);
  } finally {
    // What the work began and did not wait for goes on outside of it.
    transaction.isOpen = false;
  }
}

/** Whether the caller runs within a transaction that holds a connection and its locks. */
export const isInTransaction = (): boolean => running.getStore()?.isOpen === true;
