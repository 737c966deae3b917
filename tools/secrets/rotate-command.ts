import { serviceUrl } from '@switchyard/database';
import { runningDatabase } from '../backup/running-postgres';
import { secondDatabasePassword } from '../launcher/home/database-passwords';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { StopSentence } from '../launcher/stop-sentence';
import { ENCRYPTING_SERVICES } from './platform-secrets';
import { type SealedStore, type SealingService, rotateSecrets } from './rotate';

const variablesOf = (service: SealingService): { url: string; key: string; second: string } => {
  const prefix = service.toUpperCase().replace('-', '_');
  return { url: `${prefix}_DATABASE_URL`, key: `${prefix}_DATA_KEY`, second: `${prefix}_DATABASE_SECOND_PASSWORD` };
};

/** The stores that the environment names; undefined if it names none, and the platform on this machine is meant. */
function givenStores(env: NodeJS.ProcessEnv): SealedStore[] | undefined {
  const isNamed = ENCRYPTING_SERVICES.some((service) => Object.values(variablesOf(service)).some((name) => env[name]));
  if (!isNamed) return undefined;
  return ENCRYPTING_SERVICES.flatMap((service) => {
    const { url, key, second } = variablesOf(service);
    const [databaseUrl, dataKey] = [env[url], env[key]];
    if (databaseUrl && dataKey) return [{ service, databaseUrl, secondPassword: env[second], dataKey }];
    const missing = [url, key].filter((name) => !env[name]).join(' and ');
    fail(
      `${service}: skipped, because ${missing} is not set. Its values still need the old key: set it and run this again.`,
    );
    return [];
  });
}

/**
 * `npm run secrets:rotate`, and the Job `rotate-secrets` of a deployment. With KEY_DATABASE_URL and KEY_DATA_KEY, and
 * the same of AGENT and EVENT_BUS, it works on these; without them on the platform that runs on this machine.
 */
function storesOf(env: NodeJS.ProcessEnv): SealedStore[] {
  const given = givenStores(env);
  if (given) return given;

  const home = openHome(env['SWITCHYARD_HOME'] ?? '.switchyard');
  const secrets = loadSecrets(home, env);
  const adminUrl = env['DATABASE_URL'] || runningDatabase(home, secrets);
  if (!adminUrl) throw new StopSentence('The platform does not run. Start it first: npm start');
  return ENCRYPTING_SERVICES.map((service) => {
    const { databasePassword, dataKey } = secrets.services[service];
    const secondPassword = secondDatabasePassword(secrets.services[service]);
    const databaseUrl = serviceUrl(adminUrl, { service, password: databasePassword });
    return { service, databaseUrl, secondPassword, dataKey: env['DATA_KEY'] ?? dataKey };
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
