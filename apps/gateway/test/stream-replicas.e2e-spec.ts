import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** As an operator runs it in the gateway's container. */
async function run(command: string): Promise<{ code: number; said: string }> {
  const { natsUrl, redisUrl, secrets, internalUrls } = platform.state;
  const { gateway } = secrets.services;
  const publicKeys = Object.entries(secrets.services).map(([name, { publicKey }]) => [name, publicKey]);
  const child = spawn(process.execPath, [resolve('dist/apps/gateway/src/main.js'), command], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      NATS_URL: natsUrl,
      NATS_NKEY_SEED: gateway?.nats.seed,
      NATS_STREAM_REPLICAS: '1',
      REDIS_URL: redisUrl,
      SERVICE_PRIVATE_KEY: gateway?.privateKey,
      SERVICE_PUBLIC_KEYS: JSON.stringify(Object.fromEntries(publicKeys)),
      INTERNAL_URLS: JSON.stringify(internalUrls),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

test('the gateway, too, gives streams as many copies as are set', async () => {
  expect(await run('stream-replicas')).toEqual({ code: 0, said: 'EVENTS: has 1\nFRAMES: has 1\n' });
});

test('a command that there is not is refused, and no door is opened', async () => {
  expect(await run('streams')).toMatchObject({
    code: 1,
    said: expect.stringContaining('streams is not a command') as string,
  });
});
