import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Client, type TestSpace, signIn, until, usePlatform } from '@switchyard/testing';
import { EffectsServer } from '../../../proof/faults/approvals/effects-server';

const platform = usePlatform();
const run = promisify(execFile);
/** A credential has so many requests a minute. */
const PAUSE_MS = 500;
const SEALING = ['key', 'agent', 'event-bus'] as const;
type Sealing = (typeof SEALING)[number];

/** As docs/operate/secrets.md says how to do it, two replicas of each service, one restarted after the other. */
describe('master keys that are changed while everything runs', () => {
  const oldKeys = Object.fromEntries(
    SEALING.map((service) => [service, platform.state.secrets.services[service]?.dataKey ?? '']),
  ) as Record<Sealing, string>;
  const newKeys = Object.fromEntries(SEALING.map((service) => [service, randomBytes(32).toString('base64')])) as Record<
    Sealing,
    string
  >;
  const keysOf = {
    known: (service: Sealing): string => `1:${oldKeys[service]},2:${newKeys[service]}`,
    used: (service: Sealing): string => `2:${newKeys[service]},1:${oldKeys[service]}`,
    alone: (service: Sealing): string => `2:${newKeys[service]}`,
  };
  let effects: EffectsServer;
  let space: TestSpace;
  let owner: Client;

  beforeAll(async () => {
    effects = await EffectsServer.start();
    for (const service of SEALING) {
      await platform.service(`${service}-2`).start();
      await platform.service(`${service}-2`).ready();
    }
    space = await platform.newSpace();
    owner = space.owner;
  }, 300_000);

  afterAll(async () => {
    effects.close();
    for (const service of SEALING) await platform.service(`${service}-2`).stop();
    // Encryption of other tests is unchanged.
    await restart('known', ['']);
    await rotate('known');
    for (const service of SEALING) {
      await platform.service(service).restart();
      await platform.service(service).ready();
    }
  }, 300_000);

  /** One replica of each service after the other. */
  async function restart(keys: keyof typeof keysOf, replicas: readonly string[]): Promise<void> {
    for (const replica of replicas)
      await Promise.all(
        SEALING.map(async (service) => {
          const process = platform.service(`${service}${replica}`);
          await process.restart({ DATA_KEY: keysOf[keys](service) });
          await process.ready();
        }),
      );
  }

  async function rotate(keys: keyof typeof keysOf): Promise<string> {
    const env = Object.fromEntries(
      SEALING.flatMap((service) => {
        const prefix = service.toUpperCase().replace('-', '_');
        return [
          [`${prefix}_DATABASE_URL`, platform.state.databaseLogins[service]],
          [`${prefix}_DATA_KEY`, keysOf[keys](service)],
        ];
      }),
    );
    const script = path.resolve('dist/tools/secrets/rotate-command.js');
    return (await run(process.execPath, [script], { env })).stdout;
  }

  it('fail no call, and the old key opens nothing that is needed afterwards', async () => {
    const secret = await owner.post('/secrets', { name: 'LIVE', value: 'value-0' });
    const headers = { Authorization: 'Bearer {{ secrets.LIVE }}', 'X-Own': 'written out' };
    const agent = await owner.post('/agents', {
      name: 'Live',
      model: 'sim-chat',
      systemPrompt: 'You are a test.',
      mcpServers: [{ name: 'effects', url: effects.url, headers }],
    });
    const guest = await space.member();
    const { webhookSecret } = (await owner.get(`/spaces/${space.id}`)).body.data;
    const wrong: unknown[] = [];
    let rounds = 0;
    let isOver = false;
    const see = (what: string, isRight: boolean, reply: { status: number; body: unknown }): void => {
      if (!isRight) wrong.push([what, reply.status, reply.body]);
    };
    const work: Record<string, () => Promise<void>> = {
      tool: async () => {
        const contents = [{ type: 'text', text: '@@tool effects__act {"name": "x"}\n@@reply {{tool}}' }];
        const reply = await owner.post(`/agents/${agent.body.data.id}/chat`, { contents, stream: false });
        see('tool', reply.status === 200 && String(reply.body.data.answer).includes('done for x'), reply);
      },
      write: async () => {
        const reply = await owner.put(`/secrets/${secret.body.data.id}`, { value: `value-${rounds}` });
        see('write', reply.status === 200, reply);
      },
      'sign in': async () => {
        const { email = '', password = '' } = guest.identity;
        const client = await signIn(platform.anonymous, email, password, space.id);
        const reply = await client.get('/auth/me');
        see('sign in', reply.status === 200, reply);
      },
      webhook: async () => {
        const reply = await owner.get(`/spaces/${space.id}`);
        see('webhook', reply.status === 200 && reply.body.data.webhookSecret === webhookSecret, reply);
      },
    };
    const loads = Object.entries(work).map(async ([what, call]) => {
      while (!isOver) {
        await call().catch((error: unknown) => wrong.push([what, String(error)]));
        rounds += 1;
        await sleep(PAUSE_MS);
      }
    });
    /** So that each step of the way is done under load. */
    const more = async (): Promise<void> => {
      const before = rounds;
      await until(() => rounds > before + 20, { timeoutMs: 120_000 });
    };
    // Old and new lists work together before the second replicas restart too.
    for (const keys of ['known', 'used'] as const)
      for (const replica of ['', '-2']) {
        await restart(keys, [replica]);
        await more();
      }
    expect(await rotate('used')).toContain('secrets of Spaces');
    await more();
    expect(await rotate('used')).toMatch(/key: 0 webhook secrets[^]*agent: 0 headers/);
    for (const replica of ['', '-2']) {
      await restart('alone', [replica]);
      await more();
    }
    isOver = true;
    await Promise.all(loads);
    expect(wrong).toEqual([]);
    expect(effects.credentials.size).toBeGreaterThan(1);
    expect([...effects.credentials].every((credential) => credential.startsWith('Bearer value-'))).toBe(true);
  }, 600_000);
});
