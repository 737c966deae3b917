import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serviceUrl } from '@switchyard/database';
import { runningDatabase } from '../backup/running-postgres';
import { secondDatabasePassword } from '../launcher/home/database-passwords';
import { openHome } from '../launcher/home/home';
import { loadSecrets } from '../launcher/home/secrets';
import { StopSentence } from '../launcher/stop-sentence';

/** Connection settings of the key service's database. */
export interface KeyDatabase {
  databaseUrl: string;
  secondPassword?: string | undefined;
  keyPeppers: string;
  /** The external issuer that people sign in at, if one is configured as the services need it. */
  oidcIssuer?: string | undefined;
}

/**
 * In a container of the key service by the environment of that service, or by the file that holds it; else that of the
 * platform that runs on this machine.
 */
export function keyDatabase(env: NodeJS.ProcessEnv): KeyDatabase {
  const own = { ...passedEnvironment(env), ...env };
  const oidcIssuer = own['OIDC_AUDIENCE'] ? own['OIDC_ISSUER'] || undefined : undefined;
  if (own['KEY_PEPPERS'] && own['DATABASE_URL'])
    return {
      databaseUrl: own['DATABASE_URL'],
      secondPassword: own['DATABASE_SECOND_PASSWORD'],
      keyPeppers: own['KEY_PEPPERS'],
      oidcIssuer,
    };

  const home = openHome(env['SWITCHYARD_HOME'] ?? '.switchyard');
  const secrets = loadSecrets(home, env);
  const adminUrl = env['DATABASE_URL'] || runningDatabase(home, secrets);
  if (!adminUrl) throw new StopSentence('The platform does not run. Start it first: npm start');
  const { databasePassword: password } = secrets.services.key;
  const databaseUrl = serviceUrl(adminUrl, { service: 'key', password });
  const secondPassword = secondDatabasePassword(secrets.services.key);
  return { databaseUrl, secondPassword, keyPeppers: secrets.keyPeppers, oidcIssuer };
}

function passedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const file = path.join(env['SECRETS_FOLDER'] ?? '/run/switchyard', 'key.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}
