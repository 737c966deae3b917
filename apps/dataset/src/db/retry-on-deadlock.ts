import { retry } from '@switchyard/concurrency';
import { isEntangled } from '@switchyard/database';

const ATTEMPTS = 5;
const PAUSE = { baseMs: 20, maxMs: 200 };

/**
 * Makes a transaction again that the database broke off for another one. Writers take what they hold in one order,
 * or take turns where there is none; what is left are single records among them, imports, and tables that go away.
 */
export function retryOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  return retry(transaction, { attempts: ATTEMPTS, ...PAUSE, shouldRetry: isEntangled });
}
