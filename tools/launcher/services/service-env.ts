import { projectRoot } from '../project-root';
import type { ServiceName } from '../service-names';
import path from 'node:path';
import type { Secrets } from '../home/secrets';
import { secondDatabasePassword } from '../home/database-passwords';
import { servicePrivateKey, servicePublicKeys } from '../home/service-keys';
import type { Endpoints } from '../endpoints';
import { ENCRYPTING_SERVICES } from '../../secrets/platform-secrets';
import { readsRedis } from './redis-readers';
import { type VariableNames, environmentOf, isOfEveryProcess } from './variable-names';

const withDataKey = new Set<ServiceName>(ENCRYPTING_SERVICES);

/** The environment of one service: what its configuration names of the caller's, and over it what the launcher decides. */
export function serviceEnv(
  service: ServiceName,
  caller: NodeJS.ProcessEnv,
  secrets: Secrets,
  endpoints: Endpoints,
  names?: VariableNames,
): NodeJS.ProcessEnv {
  const own = secrets.services[service];
  const internalUrls = Object.fromEntries(
    Object.entries(endpoints.internalPorts).map(([name, port]) => [name, `http://127.0.0.1:${port}`]),
  );
  return {
    ...environmentOf(service, caller, names),
    NODE_ENV: caller.NODE_ENV ?? 'production',
    // Node 22 and later keep compiled code there, which halves the time to load a service; Node 20 looks away.
    NODE_COMPILE_CACHE: caller.NODE_COMPILE_CACHE ?? path.join(projectRoot, 'node_modules/.cache/node'),
    LOG_LEVEL: caller.LOG_LEVEL ?? 'info',
    NATS_URL: endpoints.natsUrl,
    NATS_NKEY_SEED: endpoints.isNatsOurs ? own.nats.seed : (caller.NATS_NKEY_SEED ?? ''),
    // Undefined takes away the caller's as well.
    REDIS_URL: readsRedis(service) ? endpoints.redisUrl : undefined,
    DATABASE_URL: endpoints.databaseLogins[service],
    DATABASE_SECOND_PASSWORD: service === 'gateway' ? undefined : secondDatabasePassword(own),
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(endpoints.internalPorts[service]),
    SERVICE_PRIVATE_KEY: servicePrivateKey(own),
    SERVICE_PUBLIC_KEYS: servicePublicKeys(secrets),
    INTERNAL_URLS: JSON.stringify(internalUrls),
    ...(withDataKey.has(service) ? { DATA_KEY: caller.DATA_KEY ?? own.dataKey } : {}),
    ...special(service, caller, secrets, endpoints),
  };
}

function special(
  service: ServiceName,
  caller: NodeJS.ProcessEnv,
  secrets: Secrets,
  endpoints: Endpoints,
): NodeJS.ProcessEnv {
  switch (service) {
    case 'gateway':
      return {
        GATEWAY_HOST: endpoints.gatewayHost,
        GATEWAY_PORT: String(endpoints.gatewayPort),
        ...natsApi(secrets, endpoints),
      };
    case 'event-bus':
      return natsApi(secrets, endpoints);
    case 'key':
      return {
        NATS_API_URL: endpoints.natsApiUrl,
        ...(endpoints.isNatsApiOurs ? { NATS_API_OPERATOR_KEY: natsApiOperatorKey(secrets, caller) } : {}),
        KEY_PEPPERS: caller.KEY_PEPPERS ?? secrets.keyPeppers,
        BOOTSTRAP_EMAIL: secrets.ownerEmail,
        BOOTSTRAP_PASSWORD: secrets.ownerPassword,
      };
    case 'relay':
      return {
        SIMULATOR_URL: caller.SIMULATOR_URL ?? endpoints.simulatorUrl,
        // The empty text turns it off.
        RELAY_JOURNAL_FOLDER: caller.RELAY_JOURNAL_FOLDER ?? endpoints.relayJournalFolder,
      };
    default:
      return {};
  }
}

/** The key service makes it; the launcher uses it. */
export const natsApiOperatorKey = (secrets: Secrets, { NATS_API_OPERATOR_KEY: given }: NodeJS.ProcessEnv): string =>
  given || secrets.natsApiOperatorKey;

/** The platform's own user at the NATS server of services. */
const natsApi = (secrets: Secrets, { natsApiUrl, isNatsApiOurs }: Endpoints): NodeJS.ProcessEnv => ({
  NATS_API_URL: natsApiUrl,
  ...(isNatsApiOurs ? { NATS_API_NKEY_SEED: secrets.natsApi.seed } : {}),
});

/** The simulator is no service, and has no secrets. */
export const simulatorEnv = (caller: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(caller).filter(([name]) => name.startsWith('SIMULATOR_') || isOfEveryProcess(name)),
  );
