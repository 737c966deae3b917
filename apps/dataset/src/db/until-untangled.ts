import { isEntangled } from '@switchyard/database';
import { backoffMs, sleep } from '@switchyard/kernel';

const ATTEMPTS = 5;
const PAUSE = { baseMs: 20, maxMs: 200 };

/**
 * Makes a transaction again that the database broke off for another one. Writers take what they hold in one order,
 * or take turns where there is none; what is left are single records among them, imports, and tables that go away.
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
