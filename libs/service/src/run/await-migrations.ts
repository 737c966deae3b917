import { type Migration, pendingMigrations } from '@switchyard/database';
import type { ServiceName } from '@switchyard/contracts';
import { sleep } from '@switchyard/kernel';

const EVERY_MS = 1000;

/** `await-migrations`: exits when the tables of this version exist. The caller limits the wait. */
export async function awaitMigrations(service: ServiceName, migrations: readonly Migration[]): Promise<void> {
  const url = process.env['DATABASE_URL'] ?? '';
  let logged = '';
  for (;;) {
    const missing = await pendingMigrations(url, { service, migrations }).catch((error: unknown) => [
      error instanceof Error ? error.message : String(error),
    ]);
    if (missing.length === 0) return;
    if (missing.join() !== logged) process.stdout.write(`${service} waits for: ${missing.join(', ')}\n`);
    logged = missing.join();
    await sleep(EVERY_MS);
  }
}
