import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestPlatform } from './platform';
import { until } from './until';

export const NO_NATS = 'nats://127.0.0.1:1';

export interface ExtraProcess {
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Settings of every process of a service on this platform; those of the test take precedence. */
export function serviceSettings(
  { state }: TestPlatform,
  service: string,
  env: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
  const own = state.secrets.services[service];
  const publicKeys = Object.entries(state.secrets.services).map(([name, keys]) => [name, keys.publicKey]);
  return {
    NODE_ENV: 'test',
    NATS_URL: state.natsUrl,
    NATS_NKEY_SEED: own?.nats.seed,
    REDIS_URL: state.redisUrl,
    SERVICE_PRIVATE_KEY: own?.privateKey,
    SERVICE_PUBLIC_KEYS: JSON.stringify(Object.fromEntries(publicKeys)),
    INTERNAL_URLS: JSON.stringify(state.internalUrls),
    ADDRESS_RATE_LIMIT_PER_MINUTE: '100000',
    ...env,
  };
}

/** One more process of a service beside the platform's own, with settings of the test. */
export const startProcess = (
  platform: TestPlatform,
  service: string,
  env: NodeJS.ProcessEnv,
  isUp: () => Promise<boolean>,
): Promise<ExtraProcess> => startScript(`apps/${service}/src/main.js`, serviceSettings(platform, service, env), isUp);

/** A process of a compiled script. */
export async function startScript(
  script: string,
  env: Readonly<Record<string, string | undefined>>,
  isUp: () => Promise<boolean>,
): Promise<ExtraProcess> {
  const child = spawn(process.execPath, [path.resolve('dist', script)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const onData = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  const removed = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await removed;
  };
  try {
    await until(isUp, { timeoutMs: 170_000, everyMs: 100 });
  } catch (error) {
    await stop();
    throw new Error(`${script} did not start: ${output}`, { cause: error });
  }
  return { stop };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
