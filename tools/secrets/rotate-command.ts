import { serviceUrl } from '@switchyard/database';
import { runningDatabase } from '../backup/running-postgres';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { StopSentence } from '../launcher/stop-sentence';
import { SEALING_SERVICES, type SealedStore, rotateSecrets } from './rotate';

/**
 * `npm run secrets:rotate`, and the Job `rotate-secrets` of a deployment. With KEY_DATABASE_URL and KEY_DATA_KEY, and
 * the same of AGENT and EVENT_BUS, it works on these; without them on the platform that runs on this machine.
 */
function storesOf(env: NodeJS.ProcessEnv): SealedStore[] {
  const given = SEALING_SERVICES.map((service) => {
    const prefix = service.toUpperCase().replace('-', '_');
    return { service, databaseUrl: env[`${prefix}_DATABASE_URL`] ?? '', dataKey: env[`${prefix}_DATA_KEY`] ?? '' };
  });
  const isGiven = ({ databaseUrl, dataKey }: SealedStore): boolean => databaseUrl !== '' && dataKey !== '';
  // The Secret of a platform that an earlier version set up has no key of the event bus.
  if (given.filter(({ service }) => service !== 'event-bus').every(isGiven)) {
    if (!given.every(isGiven))
      process.stderr.write(
        'event-bus: skipped, as EVENT_BUS_DATABASE_URL or EVENT_BUS_DATA_KEY is missing. If endpoints exist, give both before you remove the old key.\n',
      );
    return given.filter(isGiven);
  }

  const home = openHome(env['SWITCHYARD_HOME'] ?? '.switchyard');
  const secrets = loadSecrets(home, env);
  const adminUrl = env['DATABASE_URL'] || runningDatabase(home, secrets);
  if (!adminUrl) throw new StopSentence('The platform does not run. Start it first: npm start');
  return SEALING_SERVICES.map((service) => {
    const { databasePassword, dataKey } = secrets.services[service];
    const databaseUrl = serviceUrl(adminUrl, { service, password: databasePassword });
    return { service, databaseUrl, dataKey: env['DATA_KEY'] ?? dataKey };
  });
}

async function main(): Promise<void> {
  try {
    for (const store of storesOf(process.env))
      await rotateSecrets(store, (line) => process.stdout.write(`${line}\n`)).catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** A failure of one service does not stop the others. */
function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

void main();
