import type { PlatformState } from '@switchyard/testing';
import { freePort } from '../../tools/launcher/ports';
import { SideProcess } from './side-process';

/** A second gateway on the running platform, with a route that does nothing and no limits in the way. */
export async function startNoOpGateway(
  state: PlatformState,
  settings: NodeJS.ProcessEnv = { CREDENTIAL_CACHE_MS: '60000' },
): Promise<SideProcess> {
  const own = state.secrets.services.gateway;
  const publicKeys = Object.fromEntries(
    Object.entries(state.secrets.services).map(([name, each]) => [name, each.publicKey]),
  );
  const port = await freePort();
  return SideProcess.start('no-op-gateway', {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    NATS_URL: state.natsUrl,
    NATS_NKEY_SEED: own?.nats.seed,
    REDIS_URL: state.redisUrl,
    GATEWAY_PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(port),
    SERVICE_PRIVATE_KEY: own?.privateKey,
    SERVICE_PUBLIC_KEYS: JSON.stringify(publicKeys),
    INTERNAL_URLS: JSON.stringify(state.internalUrls),
    RATE_LIMIT_PER_MINUTE: '1000000000',
    SPACE_RATE_LIMIT_PER_MINUTE: '1000000000',
    ...settings,
  });
}
