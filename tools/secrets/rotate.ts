import path from 'node:path';
import { Database, type Tx } from '@switchyard/database';
import { Sealer } from '@switchyard/service';

export const SEALING_SERVICES = ['key', 'agent'] as const;
export type SealingService = (typeof SEALING_SERVICES)[number];

export interface SealedStore {
  service: SealingService;
  /** With the service's own login. */
  databaseUrl: string;
  dataKey: string;
}

interface ResealStep {
  what: string;
  run: (tx: Tx, sealer: Sealer, limit: number) => Promise<number>;
}

const BATCH = 100;
const quiet = { warn: (): void => undefined, error: (): void => undefined };

/**
 * Seals everything that a service has stored with the first key of its DATA_KEY, in small transactions beside the
 * running service. Can be ended and begun again at any time.
 */
export async function rotateSecrets(
  { service, databaseUrl, dataKey }: SealedStore,
  say: (line: string) => void,
): Promise<void> {
  const sealer = new Sealer(dataKey);
  const database = new Database({ service, url: databaseUrl, poolSize: 2, log: quiet, isSearched: true });
  await database.connect();
  try {
    for (const { what, run } of await stepsOf(service)) {
      let done = 0;
      for (let rows = BATCH; rows === BATCH; done += rows)
        rows = await database.system(`seal ${what} anew`, (tx) => run(tx, sealer, BATCH));
      say(`${service}: ${done} ${what}`);
    }
  } finally {
    await database.close();
  }
}

/** The steps that a built service ships. */
async function stepsOf(service: SealingService): Promise<readonly ResealStep[]> {
  const file = path.join(__dirname, '../../apps', service, 'src/db/reseal.js');
  return ((await import(file)) as { resealSteps: readonly ResealStep[] }).resealSteps;
}
