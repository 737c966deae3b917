import { type Secrets } from '../launcher/home/secrets';
import { SERVICES, type ServiceName } from '../launcher/service-names';

/** The port of health, metrics and the offline road in every container. */
export const INTERNAL_PORT = 8081;
export const GATEWAY_PORT = 3000;

const WITH_DATA_KEY = new Set<ServiceName>(['key', 'agent', 'event-bus', 'job', 'task']);

export interface Servers {
  natsUrl: string;
  redisUrl: string;
  /** Each service's own login. */
  databaseUrls: Readonly<Record<string, string>>;
  simulatorUrl?: string;
}

/** What every service of a deployment is told: nothing of it is secret. */
export function plainEnv(
  secrets: Secrets,
  servers: Pick<Servers, 'natsUrl' | 'redisUrl' | 'simulatorUrl'>,
): Record<string, string> {
  const publicKeys = Object.fromEntries(SERVICES.map((name) => [name, secrets.services[name].publicKey]));
  const internalUrls = Object.fromEntries(SERVICES.map((name) => [name, `http://${name}:${INTERNAL_PORT}`]));
  return {
    NODE_ENV: 'production',
    NATS_URL: servers.natsUrl,
    REDIS_URL: servers.redisUrl,
    INTERNAL_HOST: '0.0.0.0',
    INTERNAL_PORT: String(INTERNAL_PORT),
    INTERNAL_URLS: JSON.stringify(internalUrls),
    SERVICE_PUBLIC_KEYS: JSON.stringify(publicKeys),
    GATEWAY_HOST: '0.0.0.0',
    GATEWAY_PORT: String(GATEWAY_PORT),
    ...(servers.simulatorUrl ? { SIMULATOR_URL: servers.simulatorUrl } : {}),
  };
}

/** What one service alone may know. */
export function secretEnv(
  service: ServiceName,
  secrets: Secrets,
  servers: Pick<Servers, 'databaseUrls'>,
): Record<string, string> {
  const own = secrets.services[service];
  const databaseUrl = servers.databaseUrls[service];
  return {
    NATS_NKEY_SEED: own.nats.seed,
    SERVICE_PRIVATE_KEY: own.privateKey,
    ...(service !== 'gateway' && databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
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
