import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { until } from '@switchyard/testing';
import type { PlatformState } from '@switchyard/testing';

const root = path.resolve(__dirname, '../../../..');

export interface GatewayProcess {
  url: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** One more gateway of the platform that runs for the tests: as it is, or with the suite's tools. */
export async function startGateway(state: PlatformState, script: string): Promise<GatewayProcess> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const { services } = state.secrets;
  const publicKeys = Object.fromEntries(Object.entries(services).map(([name, { publicKey }]) => [name, publicKey]));
  const child = spawn(process.execPath, [path.join(root, 'dist/apps/gateway', script)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      GATEWAY_PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      NATS_URL: state.natsUrl,
      NATS_NKEY_SEED: services['gateway']?.nats.seed,
      REDIS_URL: state.redisUrl,
      SERVICE_PRIVATE_KEY: services['gateway']?.privateKey,
      SERVICE_PUBLIC_KEYS: JSON.stringify(publicKeys),
      INTERNAL_URLS: JSON.stringify(state.internalUrls),
      RATE_LIMIT_PER_MINUTE: '100000',
      SPACE_RATE_LIMIT_PER_MINUTE: '100000',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/health/ready`)).ok, { timeoutMs: 90_000 });
  return { url, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}
