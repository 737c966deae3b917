import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** As the pod of `helm test` runs it. */
async function run(settings: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  const { owner } = platform.state;
  const login = { BOOTSTRAP_EMAIL: owner.email, BOOTSTRAP_PASSWORD: owner.password };
  const child = spawn(process.execPath, [resolve('dist/tools/deploy/try-turn.js')], {
    env: { PATH: process.env.PATH, GATEWAY_URL: platform.state.url, ...login, ...settings },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

test('the test of a release is a turn of the assistant', async () => {
  const { code, text } = await run({});
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('good evening') as string });
});

test('it asks another model if the release names one', async () => {
  expect(await run({ MODEL: 'sim-chat' })).toMatchObject({ code: 0, text: expect.stringContaining('good evening') as string });
});

test('it speaks over the NATS server of services, with an account that it revokes', async () => {
  const { code, text } = await run({ NATS_API_URL: platform.state.natsApiUrl });
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('The NATS API answers.') as string });
});

test.each([
  ['a password that is wrong', { BOOTSTRAP_PASSWORD: 'wrong' }, '/api/auth/login answers 401'],
  ['a model that no catalogue has', { MODEL: 'missing' }, 'answers 404'],
  ['no way to sign in', { BOOTSTRAP_PASSWORD: '' }, 'API_KEY is missing'],
])('it fails, and names the reason: %s', async (_name, settings, reason) => {
  expect(await run(settings)).toMatchObject({ code: 1, text: expect.stringContaining(reason) as string });
});
