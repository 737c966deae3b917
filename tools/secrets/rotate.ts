import path from 'node:path';
import { Database, type Tx } from '@switchyard/database';
import { type ResealBatch, type ResealedBatch, Encrypter } from '@switchyard/service';
import type { ENCRYPTING_SERVICES } from './platform-secrets';

export type SealingService = (typeof ENCRYPTING_SERVICES)[number];

export interface SealedStore {
  service: SealingService;
  /** With the service's own login. */
  databaseUrl: string;
  secondPassword?: string | undefined;
  dataKey: string;
}

interface ResealStep {
  what: string;
  run: (tx: Tx, encrypter: Encrypter, batch: ResealBatch) => Promise<ResealedBatch>;
}

const BATCH = 100;
/** More of them, and the key is wrong and not the rows. */
const MAX_UNOPENED = 100;
/** Of these, so many are said. */
const NAMED = 10;
const quiet = { warn: (): void => undefined, error: (): void => undefined };

/**
 * Re-encrypts all stored secrets of a service with the first key of its DATA_KEY, in small transactions while the
 * service runs. Can be stopped and restarted. Values that cannot be decrypted are listed at the end.
 */
export async function rotateSecrets(
  { service, databaseUrl, secondPassword, dataKey }: SealedStore,
  print: (line: string) => void,
): Promise<void> {
  const encrypter = new Encrypter(dataKey);
  const database = new Database({
    service,
    url: databaseUrl,
    secondPassword,
    poolSize: 2,
    log: quiet,
    isSearched: true,
  });
  await database.connect();
  const reasons: string[] = [];
  try {
    for (const { what, run } of await stepsOf(service)) {
      const { resealed, unopened } = await resealAll({ what, run }, database, encrypter);
      print(`${service}: ${resealed} ${what}`);
      reasons.push(...unopened.map(({ reason }) => `${service}: ${reason}`));
    }
  } finally {
    await database.close();
  }
  if (reasons.length === 0) return;
  const some = reasons.slice(0, NAMED).join('\n');
  throw new Error(`${some}\n${service}: ${reasons.length} rows do not open and stay as they are`);
}

async function resealAll({ what, run }: ResealStep, database: Database, encrypter: Encrypter): Promise<ResealedBatch> {
  const all: ResealedBatch = { resealed: 0, unopened: [] };
  for (;;) {
    const batch = { limit: BATCH, except: all.unopened.map(({ id }) => id) };
    const { resealed, unopened } = await database.system(`seal ${what} anew`, (tx) => run(tx, encrypter, batch));
    all.resealed += resealed;
    all.unopened.push(...unopened);
    if (resealed + unopened.length < BATCH || all.unopened.length > MAX_UNOPENED) return all;
  }
}

/** The steps that a built service ships. */
async function stepsOf(service: SealingService): Promise<readonly ResealStep[]> {
  const file = path.join(__dirname, '../../apps', service, 'src/db/reseal.js');
  return ((await import(file)) as { resealSteps: readonly ResealStep[] }).resealSteps;
}
