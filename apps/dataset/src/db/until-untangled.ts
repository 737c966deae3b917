import { isEntangled } from '@switchyard/database';
import { backoffMs, sleep } from '@switchyard/kernel';

const ATTEMPTS = 5;
const PAUSE = { baseMs: 20, maxMs: 200 };

/**
 * Makes a transaction again that the database broke off for another one. Writers take what they hold in one order;
 * what is left are keys of several unique fields, and tables that go away.
 */
export async function untilUntangled<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === ATTEMPTS || !isEntangled(error)) throw error;
      await sleep(backoffMs(attempt, PAUSE));
    }
  }
}
