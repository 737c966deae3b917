import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readUsersFile, servicesServerConfig, usersFile } from '@switchyard/messaging';
import type { Secrets } from '../launcher/home/secrets';
import type { ServiceName } from '../launcher/service-names';
import { giveFile } from './give-file';

/** The user of the NATS server of services, and of the process that brings users to it: that one sends it signals. */
export const NATS_SERVICES_USER = 64_022;
export const NATS_SERVICES_FOLDER = '/etc/nats-services';
/** Certificates of the operator: `tls.crt`, `tls.key`, and `ca.crt` where the authority is not a public one. */
export const NATS_TLS_FOLDER = '/etc/nats-tls';

export const USERS_FILE = 'services-users.conf';
const PORT = 4222;
const MONITOR_PORT = 8222;

interface Tls {
  ca?: string;
  cert: string;
  key: string;
}

/** Where the operator has put certificates. */
export function certificatesIn(folder: string): Tls | undefined {
  const [ca, cert, key] = ['ca.crt', 'tls.crt', 'tls.key'].map((name) => join(folder, name)) as [string, string, string];
  if (!existsSync(cert) || !existsSync(key)) return undefined;
  return { ...(existsSync(ca) ? { ca } : {}), cert, key };
}

/** Whether the deployment runs the server itself: not if its operator names another one, or turns the NATS API off. */
export const runsNatsServices = ({ NATS_API_URL: url }: NodeJS.ProcessEnv): boolean => url === undefined;

/** The Secret on Kubernetes: the platform's own user, and the operator key of the process that brings users. */
export const natsServicesSecret = ({ natsApi, natsApiOperatorKey }: Secrets): Record<string, string> => ({
  NATS_API_NKEY_SEED: natsApi.seed,
  NATS_API_PUBLIC_KEY: natsApi.publicKey,
  NATS_API_OPERATOR_KEY: natsApiOperatorKey,
});

/** Settings of a service for the server that the deployment runs. `publicUrl` is the address for other machines. */
export function natsServicesEnv(
  service: ServiceName,
  secrets: Secrets,
  { host, publicUrl, tls }: { host: string; publicUrl: string; tls: Tls | undefined },
): Record<string, string> {
  switch (service) {
    case 'gateway':
    case 'event-bus':
      return {
        NATS_API_URL: `${tls ? 'tls' : 'nats'}://${host}:${PORT}`,
        NATS_API_NKEY_SEED: secrets.natsApi.seed,
        ...(tls?.ca === undefined ? {} : { NATS_API_TLS_CA: tls.ca }),
      };
    case 'key':
      return { NATS_API_URL: publicUrl, NATS_API_OPERATOR_KEY: secrets.natsApiOperatorKey };
    default:
      return {};
  }
}

/** The server's configuration; `folder` is writable for the process that brings users to it. */
export const natsServicesConfig = (folder: string, tls?: Tls): string =>
  servicesServerConfig({
    host: '0.0.0.0',
    port: PORT,
    monitorPort: MONITOR_PORT,
    usersFile: USERS_FILE,
    pidFile: join(folder, 'nats-services.pid'),
    // The server verifies no certificates of clients: accounts prove themselves by their keys.
    ...(tls ? { tls: { cert: tls.cert, key: tls.key } } : {}),
  });

/** Writes the configuration, and a file without accounts where none is usable: later ones are brought by `sync`. */
export function writeNatsServices(folder: string, secrets: Secrets, tls: Tls | undefined, user = NATS_SERVICES_USER): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, user, user);
  giveFile(join(folder, 'nats-services.conf'), natsServicesConfig(folder, tls), user);
  const users = join(folder, USERS_FILE);
  const { publicKey } = secrets.natsApi;
  if (existsSync(users) && readUsersFile(readFileSync(users, 'utf8')).platform === publicKey) return;
  giveFile(users, usersFile(0, [], publicKey), user);
}
