import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TaskCalls, natsSubject } from '@switchyard/contracts';
import { until, usePlatform } from '@switchyard/testing';
import { fetch } from 'undici';

const platform = usePlatform();
const task = platform.service('task');
const file = (): string => join(platform.state.home, 'nats/nats.conf');
const subject = natsSubject(TaskCalls.list);

interface Readiness {
  ready: boolean;
  dependencies: Record<string, { up: boolean; detail?: string }>;
}

const readiness = async (): Promise<{ status: number; body: Readiness }> => {
  const reply = await fetch(`${platform.state.internalUrls['task'] ?? ''}/health/ready`);
  return { status: reply.status, body: (await reply.json()) as Readiness };
};

/** As an operator does who has changed what services may do. */
function reload(config: string): void {
  writeFileSync(file(), config);
  process.kill(platform.server('nats').pid ?? NaN, 'SIGHUP');
}

describe('a service that NATS does not let listen', () => {
  let config: string;

  beforeAll(() => {
    config = readFileSync(file(), 'utf8');
  });

  afterAll(async () => {
    reload(config);
    await until(async () => (await readiness()).status === 200);
  });

  const refused = (): string =>
    config.replaceAll(`"subscribe":{"allow":[`, `"subscribe":{"deny":["${subject}"],"allow":[`);
  const isNamed = async (): Promise<boolean> => {
    const { status, body } = await readiness();
    return status === 503 && body.dependencies['subscriptions']?.detail?.includes(subject) === true;
  };

  it('is not ready, says for which subject, and hears again when it may', async () => {
    const space = await platform.newSpace();
    expect(refused()).not.toBe(config);
    expect((await readiness()).status).toBe(200);
    reload(refused());
    await until(isNamed);
    expect((await space.owner.get('/tasks')).status).toBe(503);
    expect(await task.metric('switchyard_subscriptions_missing')).toBe(1);
    expect(await task.metric('switchyard_subscriptions_missing_refused_total')).toBeGreaterThan(0);
    reload(config);
    await until(async () => (await readiness()).status === 200);
    expect((await space.owner.get('/tasks')).status).toBe(200);
    expect(await task.metric('switchyard_subscriptions_missing')).toBe(0);
  });

  it('is not ready from its start', async () => {
    reload(refused());
    await until(isNamed);
    await task.kill();
    await until(isNamed, { timeoutMs: 120_000 });
    reload(config);
    await task.ready();
    expect((await readiness()).body.dependencies['subscriptions']).toMatchObject({ up: true });
  });
});
