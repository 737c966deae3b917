import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** As the Job and the container of a deployment run it. */
async function run(settings: NodeJS.ProcessEnv): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [resolve('dist/tools/deploy/streams.js')], {
    env: { PATH: process.env.PATH, NATS_URL: platform.state.natsUrl, ...settings },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said: text };
}

test("with the migration's login the command makes what is missing, and says what there is", async () => {
  const { seed } = platform.state.secrets.natsMigration;
  expect(await run({ NATS_MIGRATION_SEED: seed, NATS_STREAM_REPLICAS: '1' })).toEqual({
    code: 0,
    said: 'EVENTS: has 1\nFRAMES: has 1\n',
  });
});

test('a login that NATS does not know is refused with what to do', async () => {
  // The seed of a user of an installation of somebody else.
  const seed = 'SUANQDPB2RUOE4ETUA26CNX7FUKE5ZZKFCQIIW63OX225F2CO7UEXTM7ZY';
  expect(await run({ NATS_MIGRATION_SEED: seed })).toEqual({
    code: 1,
    said: expect.stringContaining('Load the nats.conf') as string,
  });
});
