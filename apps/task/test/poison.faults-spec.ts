import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { transform } from './task-actions';

interface Sent {
  envelopeId: string;
}

const platform = usePlatform();
let space: TestSpace;
let emit: (names: string[]) => Promise<string[]>;

const value = (service: string, metric: string): Promise<number> => platform.service(service).metric(metric);

/** As an operator runs it: with the settings of the service that runs. */
function deadLetters(...args: string[]): string {
  const environ = readFileSync(`/proc/${platform.service('task').pid ?? 0}/environ`, 'utf8').split('\0');
  const env = Object.fromEntries(environ.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]));
  return execFileSync(process.execPath, ['dist/apps/task/src/main.js', 'dead-letters', ...args], {
    env,
    encoding: 'utf8',
  });
}

const envelope = async (
  id: string,
): Promise<{ status: string; deliveries: { status: string; executionId: string }[] }> =>
  (await space.owner.get(`/events/envelopes/${id}`)).body.data;

/** A value that cannot be stored by any process. */
const poison = (): Promise<unknown> =>
  platform.database.query(`
    create or replace function task.refuse_poison() returns trigger language plpgsql as
      $$ begin if new.inputs::text like '%poison%' then raise exception 'poison'; end if; return new; end $$;
    create or replace trigger refuse_poison before insert on task.executions for each row execute function task.refuse_poison()`);
const cure = (): Promise<unknown> => platform.database.query('drop trigger if exists refuse_poison on task.executions');

describe('a delivery that cannot be taken in', () => {
  beforeAll(async () => {
    space = await platform.newSpace();
    const identifier = `poison-${space.id.slice(-12)}`;
    const manifest = {
      identifier,
      name: 'P',
      version: '1.0.0',
      events: [{ name: 'tick', schema: { type: 'object' } }],
    };
    const { systemApiKey } = (await space.owner.post('/applications', { manifest })).body.data;
    const task = { name: 'T', type: 'EVENT', active: true, steps: [transform('end', {})] };
    const taskId = (await space.owner.post('/tasks', task)).body.data.id;
    await space.owner.post('/events/subscriptions', { appIdentifier: identifier, event: 'tick', taskId });
    const app = space.owner.as(`Bearer ${systemApiKey as string}`);
    emit = (names) =>
      Promise.all(
        names.map(async (name) => {
          const body = { appIdentifier: identifier, event: 'tick', payload: { name }, idempotencyKey: randomUUID() };
          // In the moment in which NATS leaves a call may be refused; repeated, it is the same emission.
          const sent = await until(async () => (await app.post('/events/emit', body)).body.data as Sent | undefined);
          return sent.envelopeId;
        }),
      );
    await poison();
  });

  afterAll(cure);

  it('fails alone, although it travels with others', async () => {
    // While NATS is away they gather, and leave together.
    await platform.server('nats').stop();
    const ids = await emit(['a', 'b', 'poison', 'c', 'd']).finally(() => platform.server('nats').start());
    const settled = await until(
      async () => {
        const all = await Promise.all(ids.map(envelope));
        return all.every(({ deliveries }) => deliveries.length === 1 && deliveries[0]?.status !== 'PENDING')
          ? all
          : null;
      },
      { timeoutMs: 120_000, everyMs: 500 },
    );
    expect(settled.map(({ deliveries }) => deliveries[0]?.status)).toEqual([
      'TRIGGERED',
      'TRIGGERED',
      'FAILED',
      'TRIGGERED',
      'TRIGGERED',
    ]);
  });

  it('becomes a dead letter that operators see and send back, and then takes effect once', async () => {
    const before = await value('task', 'switchyard_dead_letters');
    // The delivery before this one may have left a failure behind.
    const [{ since } = { since: '' }] = await platform.database.query<{ since: string }>('select now()::text as since');
    const [id = ''] = await emit(['poison']);
    const [failed] = await until(async () => {
      const rows = await platform.database.query<{ message_id: string }>(
        `select message_id from task.inbox_failure where consumer = 'event-bus.emissions-matched' and last_at > $1`,
        [since],
      );
      return rows.length > 0 ? rows : null;
    });
    expect(await value('event-bus', 'switchyard_outbox_oldest_seconds')).toBeGreaterThan(0);
    // Eight attempts take most of a minute.
    await platform.database.query(`update task.inbox_failure set attempts = 7 where message_id = $1`, [
      failed?.message_id,
    ]);
    await until(async () => (await value('task', 'switchyard_dead_letters')) === before + 1, { timeoutMs: 120_000 });
    const letters = deadLetters()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { messageId: string; error: string });
    expect(letters.find(({ messageId }) => messageId === failed?.message_id)?.error).toContain('poison');
    await cure();
    expect(deadLetters('requeue', failed?.message_id ?? '')).toBe('1 sent back\n');
    const { deliveries } = await until(
      async () => {
        const now = await envelope(id);
        return now.deliveries[0]?.status === 'TRIGGERED' ? now : null;
      },
      { timeoutMs: 120_000 },
    );
    expect(deliveries).toHaveLength(1);
    // Another copy of the message may have had the effect first: the letter is then taken and finds it done.
    await until(async () => (await value('task', 'switchyard_dead_letters')) === before);
  }, 300_000);
});
