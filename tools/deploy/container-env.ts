import { serviceUrl } from '@switchyard/database';
import { type Secrets } from '../launcher/home/secrets';
import { secondDatabasePassword } from '../launcher/home/database-passwords';
import { servicePrivateKey, servicePublicKeys } from '../launcher/home/service-keys';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { type NatsUsers, natsUsersOf as usersOf } from '../launcher/home/nats-users';
import { ENCRYPTING_SERVICES } from '../secrets/platform-secrets';
import { readsRedis } from '../launcher/services/redis-readers';

/** The port of health, metrics and the offline road in every container. */
export const INTERNAL_PORT = 8081;
export const GATEWAY_PORT = 3000;
export const SHUTDOWN_GRACE_MS = 25_000;

/**
 * The user, and the group, as which each service runs where all find their settings in one volume: only this user can read
 * the file with the service's secrets.
 */
export const userOf = (service: ServiceName): number => 64_001 + [...SERVICES].sort().indexOf(service);

/** The user of the container that makes the streams: it alone can read the migration's NATS login. */
export const STREAMS_USER = 64_020;

/** The user of the image, which NATS is given as well. */
export const IMAGE_USER = 65_532;

const WITH_DATA_KEY = new Set<ServiceName>(ENCRYPTING_SERVICES);

export interface Servers {
  natsUrl: string;
  redisUrl: string;
  /** Each service's own login. */
  databaseUrls: Readonly<Record<string, string>>;
  simulatorUrl?: string;
}

/** Environment common to every deployment. */
export const fixedEnv = (): Record<string, string> => ({
  NODE_ENV: 'production',
  INTERNAL_HOST: '0.0.0.0',
  INTERNAL_PORT: String(INTERNAL_PORT),
  INTERNAL_URLS: JSON.stringify(Object.fromEntries(SERVICES.map((name) => [name, `http://${name}:${INTERNAL_PORT}`]))),
  GATEWAY_HOST: '0.0.0.0',
  GATEWAY_PORT: String(GATEWAY_PORT),
  SHUTDOWN_GRACE_MS: String(SHUTDOWN_GRACE_MS),
});

/** Environment of a deployed service. Without secrets, except for server URLs that contain some. */
export function plainEnv(
  service: ServiceName,
  secrets: Secrets,
  servers: Pick<Servers, 'natsUrl' | 'redisUrl' | 'simulatorUrl'>,
): Record<string, string> {
  const isItsOwn = (name: string): boolean => service === 'gateway' || !name.startsWith('GATEWAY_');
  const fixed = Object.fromEntries(Object.entries(fixedEnv()).filter(([name]) => isItsOwn(name)));
  return { ...fixed, ...serversEnv(service, servers), SERVICE_PUBLIC_KEYS: servicePublicKeys(secrets) };
}

const serversEnv = (
  service: ServiceName,
  { natsUrl, redisUrl, simulatorUrl }: Pick<Servers, 'natsUrl' | 'redisUrl' | 'simulatorUrl'>,
): Record<string, string> => ({
  NATS_URL: natsUrl,
  ...(readsRedis(service) ? { REDIS_URL: redisUrl } : {}),
  ...(simulatorUrl && service === 'relay' ? { SIMULATOR_URL: simulatorUrl } : {}),
});

/** Secrets of one service. */
export function secretEnv(
  service: ServiceName,
  secrets: Secrets,
  servers: Pick<Servers, 'databaseUrls'>,
): Record<string, string> {
  const own = secrets.services[service];
  const databaseUrl = servers.databaseUrls[service];
  return {
    NATS_NKEY_SEED: own.nats.seed,
    SERVICE_PRIVATE_KEY: servicePrivateKey(own),
    // Empty without a rotation: `kubectl apply` would leave the old value where the key is missing.
    ...(service !== 'gateway' && databaseUrl
      ? { DATABASE_URL: databaseUrl, DATABASE_SECOND_PASSWORD: secondDatabasePassword(own) }
      : {}),
    ...(WITH_DATA_KEY.has(service) ? { DATA_KEY: own.dataKey } : {}),
    ...(service === 'key'
      ? {
          KEY_PEPPERS: secrets.keyPeppers,
          BOOTSTRAP_EMAIL: secrets.ownerEmail,
          BOOTSTRAP_PASSWORD: secrets.ownerPassword,
        }
      : {}),
  };
}

/** By service; the gateway has no database. */
export const databasePasswords = (secrets: Secrets): Record<string, string> =>
  Object.fromEntries(
    SERVICES.filter((name) => name !== 'gateway').map((name) => [name, secrets.services[name].databasePassword]),
  );

export const databaseUrlsOf = (
  adminUrl: string,
  passwords: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(passwords).map(([service, password]) => [service, serviceUrl(adminUrl, { service, password })]),
  );

/** All that may log in to NATS. */
export const natsUsersOf = (
  secrets: Secrets,
  environment: NodeJS.ProcessEnv,
): NatsUsers & { servicesMakeStreams: boolean } => ({
  ...usersOf(secrets),
  servicesMakeStreams: environment.NATS_SERVICES_MAKE_STREAMS === 'true',
});

/** Credentials to create and change streams, not given to any service. */
export const streamsEnv = (secrets: Secrets, natsUrl: string): Record<string, string> => ({
  NATS_URL: natsUrl,
  NATS_MIGRATION_SEED: secrets.natsMigration.seed,
});
