import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Answer, Client, type TestSpace, signIn, until, usePlatform } from '@switchyard/testing';
import { type InstalledApplication, dataOf, emission, eventTask, install } from './an-application';

const platform = usePlatform();
const root = path.join(__dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-drill-'));
// The database's own user must get to its data.
chmodSync(folder, 0o711);
const home = path.join(folder, 'home');
const SERVICES = 'gateway,key,agent,session,relay,dataset,event-bus,task';

const backup = (...args: string[]): void => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/backup.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

/** Another platform, on the restored home, beside the one of the tests. */
class Restored {
  private child: ChildProcess | undefined;
  private output = '';

  async start(): Promise<string> {
    const port = await freePort();
    const env: NodeJS.ProcessEnv = {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      SWITCHYARD_HOME: home,
      GATEWAY_PORT: String(port),
      ADDRESS_RATE_LIMIT_PER_MINUTE: '100000',
    };
    const child = spawn(process.execPath, ['tools/start.mjs', '--only', SERVICES], { cwd: root, env });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child = child;
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200, {
      timeoutMs: 240_000,
      everyMs: 100,
    }).catch((error: unknown) => {
      throw new Error(`the restored platform did not start:\n${this.output}`, { cause: error });
    });
    return url;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

const restored = new Restored();
let space: TestSpace;
let owner: Client;
let application: InstalledApplication;
const made: Record<string, string | undefined> = {};
const idOf = (reply: { status: number; body: { data: { id: string } } }): string => {
  expect([reply.status, reply.body]).toEqual([201, expect.anything()]);
  return reply.body.data.id;
};

beforeAll(async () => {
  space = await platform.newSpace('Drill');
  owner = space.owner;
  made.agent = idOf(await owner.post('/agents', { name: 'Drill', model: 'sim-chat', systemPrompt: 'Be brief.' }));
  const turn = await owner.post(`/agents/${made.agent}/chat`, {
    contents: [{ type: 'text', text: 'remember me' }],
    stream: false,
  });
  made.session = turn.body.data.session_id as string;
  const schema = { fields: [{ name: 'n', type: 'integer' }] };
  made.dataset = idOf(await owner.post('/datasets', { name: 'drill', schema }));
  const records = [{ n: 1 }, { n: 2 }, { n: 3 }];
  expect((await owner.post(`/datasets/${made.dataset}/data/insert`, { records })).status).toBeLessThan(300);
  const key = await space.key();
  made.key = key.authorization ?? '';
  application = await install(space);
  made.task = await eventTask(space);
  const subscription = { appIdentifier: application.identifier, event: 'order.created', taskId: made.task };
  dataOf(await owner.post('/events/subscriptions', subscription), 201);
  // From here on events are recorded and matched, and not delivered.
  await platform.service('task').stop();
  made.envelope = dataOf(await application.app.post('/events/emit', emission(application)), 202).envelopeId as string;
  backup('save', '--home', platform.state.home, '--to', folder);
  await platform.service('task').start();
}, 400_000);

afterAll(async () => {
  await restored.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a platform made of a backup, with a NATS and a Redis that know nothing', () => {
  let again: Client;

  beforeAll(async () => {
    backup('restore', '--home', home, '--from', folder);
    const url = await restored.start();
    const { email = '', password = '' } = owner.identity;
    again = await signIn(new Client(url, null), email, password, space.id);
  }, 400_000);

  it('knows its people, its keys and its Spaces', async () => {
    const agent = await again.get(`/agents/${made.agent ?? ''}`);
    expect([agent.status, agent.body.data.name]).toEqual([200, 'Drill']);
    expect((await again.as(made.key ?? '').get('/agents')).status).toBe(200);
    expect((await again.as(`Bearer ${'A'.repeat(40)}`).get('/agents')).status).toBe(401);
  });

  it('has the conversation, and goes on with it', async () => {
    const next = await again.post(`/agents/${made.agent ?? ''}/chat`, {
      contents: [{ type: 'text', text: 'and again' }],
      session_id: made.session,
      stream: false,
    });
    expect(next.status).toBe(200);
    const messages = await again.get(`/agents/sessions/${made.session ?? ''}/messages`);
    expect((messages.body.data as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('has the records', async () => {
    const found = await again.post(`/datasets/${made.dataset ?? ''}/data/query`, { filter: { n: { gte: 2 } } });
    expect(found.status).toBe(200);
    expect(found.body.data).toHaveLength(2);
  });

  it('delivers once what was emitted and not yet delivered', async () => {
    const read = async (): Promise<Answer> => dataOf(await again.get(`/events/envelopes/${made.envelope ?? ''}`), 200);
    await until(async () => ((await read()).deliveries as { executionId: string | null }[])[0]?.executionId, {
      timeoutMs: 120_000,
    });
    expect(await read()).toMatchObject({ status: 'DISPATCHED', payload: { order: 'o-1', total: 5 } });
    const executions = await again.get(`/tasks/${made.task ?? ''}/executions`);
    expect(executions.body.data).toHaveLength(1);
  });
});
