import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PoisonPoint, poisonFor } from '@switchyard/kernel';
import { type Client, startGateway, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { mostTrials } from './most-trials';
import { countDeaths } from './support/process-deaths';

/** A restart and a lease, and the redelivery of an unconfirmed message. */
const PATIENCE = { timeoutMs: 200_000, everyMs: 250 };

const platform = usePlatform();
let space: TestSpace;
let operator: Client;
let agentId: string;

beforeAll(async () => {
  operator = await platform.operator();
  space = await platform.newSpace();
  agentId = (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' })).body.data
    .id;
});

const counting = (name: string): ReturnType<typeof countDeaths> => countDeaths(platform.service(name));

interface Poisoned {
  kind: string;
  id: string;
  spaceId: string;
  losses: number;
  at: string;
}

/** The row of this Space and kind that operators see. */
const poisoned = (kind: string): Promise<Poisoned> =>
  until(async () => {
    const { body } = await operator.get(`/operator/poisoned?kind=${kind}&limit=100`);
    return (body.data as Poisoned[]).find((row) => row.spaceId === space.id);
  }, PATIENCE);

/** Takes the poison out of a stored record, and has it tried again. */
async function cureAndRetry(
  point: PoisonPoint,
  table: string,
  column: string,
  type: string,
  id: string,
): Promise<void> {
  await platform.database.query(
    `update ${table} set ${column} = replace(${column}::text, $1, 'harmless')::${type} where ${column}::text like '%' || $1 || '%'`,
    [poisonFor(point)],
  );
  const retried = await until(async () => {
    const answer = await operator.post(`/operator/poisoned/${id}/retry`, {});
    return answer.status === 503 ? null : answer;
  }, PATIENCE);
  expect([retried.status, retried.body.data?.id]).toEqual([200, id]);
  expect((await operator.post(`/operator/poisoned/${id}/retry`, {})).status).toBe(404);
}

const execution = async (id: string) => (await space.owner.get(`/tasks/executions/${id}`)).body.data;
const task = (body: object): Promise<string> =>
  space.owner
    .post('/tasks', { name: 'T', steps: [{ id: 'end', type: 'transform', with: { n: 1 } }], ...body })
    .then((answer) => {
      if (answer.status !== 201) throw new Error(`no task: ${JSON.stringify(answer.body)}`);
      return answer.body.data.id as string;
    });

/** Asked again with the same key: the process that takes it may end by another job. */
function submitJob(input: object, options: object = {}): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { type: 'AGENT_INVOKE', agentId, input, ...options };
  return until(
    async () => (await space.owner.post('/agent-jobs', body, { headers })).body.data?.id as string | undefined,
  );
}

describe('work that ends the process which runs it', () => {
  it('as an execution is given up after two processes, takes no other with it, and runs when it was mended', async () => {
    const taskId = await task({});
    const count = counting('task');
    const badTask = await task({});
    const start = async (id: string, text: string): Promise<string> =>
      (await space.owner.post(`/tasks/${id}/execute`, { inputs: { text } })).body.data?.id;
    const good = await Promise.all(Array.from({ length: 5 }, () => start(taskId, 'harmless')));
    // The answer may be lost with the process.
    await start(badTask, poisonFor('task.execution'));
    const bad: string = await until(
      async () => (await space.owner.get(`/tasks/${badTask}/executions`)).body.data?.[0]?.id,
      PATIENCE,
    );
    expect(await poisoned('execution')).toMatchObject({ id: bad, losses: 2 });
    const ended = await until(
      async () => ((await execution(bad))?.status === 'FAILED' ? execution(bad) : null),
      PATIENCE,
    );
    expect(ended.error).toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    for (const id of good) await until(async () => (await execution(id))?.status === 'SUCCEEDED', PATIENCE);
    // Its Space cannot have it tried again.
    const refused = await until(async () => {
      const answer = await space.owner.post(`/tasks/executions/${bad}/retry`, {});
      return answer.status === 503 ? null : answer;
    }, PATIENCE);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('An operator');
    expect(count.deaths()).toBe(2);
    count.end();
    await cureAndRetry('task.execution', 'task.executions', 'inputs', 'jsonb', bad);
    await until(async () => (await execution(bad))?.status === 'SUCCEEDED', PATIENCE);
  }, 400_000);

  it('as a schedule is stopped with a run that failed, and comes again when it was mended', async () => {
    const schedule = { cron: '0 0 1 1 *' };
    const good = await task({ type: 'SCHEDULE', schedule });
    const bad = await task({ type: 'SCHEDULE', schedule, inputs: { text: poisonFor('task.firing') } });
    const runs = async (id: string): Promise<string[]> =>
      ((await space.owner.get(`/tasks/${id}/executions`)).body.data as { status: string }[]).map(
        ({ status }) => status,
      );
    const count = counting('task');
    await platform.database.query(
      `update task.tasks set next_run_at = date_trunc('second', clock_timestamp()) where id = any($1)`,
      [[good, bad]],
    );
    expect(await poisoned('schedule')).toMatchObject({ id: bad, losses: 2 });
    expect(await until(() => runs(bad), PATIENCE)).toEqual(['FAILED']);
    await until(async () => (await runs(good))[0] === 'SUCCEEDED', PATIENCE);
    expect(count.deaths()).toBe(2);
    count.end();
    await cureAndRetry('task.firing', 'task.tasks', 'inputs', 'jsonb', bad);
    await until(async () => (await runs(bad)).includes('SUCCEEDED'), PATIENCE);
  }, 400_000);

  it('as an emission, and as the message of one, is given up, and those beside it arrive', async () => {
    const identifier = `poison-${space.id.slice(-12)}`;
    const events = [{ name: 'tick', schema: { type: 'object' } }];
    const manifest = { identifier, name: 'P', version: '1.0.0', events };
    const { systemApiKey } = (await space.owner.post('/applications', { manifest })).body.data;
    const app = space.owner.as(`Bearer ${systemApiKey as string}`);
    const taskId = await task({ type: 'EVENT', active: true });
    await space.owner.post('/events/subscriptions', { appIdentifier: identifier, event: 'tick', taskId });
    const emit = async (text: string): Promise<string> => {
      const body = { appIdentifier: identifier, event: 'tick', payload: { text }, idempotencyKey: randomUUID() };
      return until(async () => (await app.post('/events/emit', body)).body.data?.envelopeId as string | undefined);
    };
    const envelope = async (id: string) => (await space.owner.get(`/events/envelopes/${id}`)).body.data;
    const counts = { bus: counting('event-bus'), task: counting('task') };
    // Its message ends the task service; alone in it, as messages of one moment are one.
    const message = await emit(poisonFor('inbox.handling'));
    await until(async () => (await envelope(message))?.status === 'DISPATCHED', PATIENCE);
    const [bad, ...good] = await Promise.all([
      emit(poisonFor('event-bus.dispatching')),
      ...Array.from({ length: 5 }, () => emit('harmless')),
    ]);
    expect(await poisoned('emission')).toMatchObject({ id: bad, losses: 2 });
    expect(await envelope(bad)).toMatchObject({ status: 'FAILED', error: { code: 'RUNTIME_UNAVAILABLE' } });
    const { id: letterId } = await poisoned('message');
    const arrived = async (id: string): Promise<boolean> =>
      (await envelope(id))?.deliveries?.[0]?.status === 'TRIGGERED';
    for (const id of good) await until(() => arrived(id), PATIENCE);
    expect([counts.bus.deaths(), counts.task.deaths()]).toEqual([2, 2]);
    counts.bus.end();
    counts.task.end();

    const letters = (await operator.get('/operator/dead-letters?limit=100')).body.data as { id: string }[];
    expect(letters.find(({ id }) => id === letterId)).toMatchObject({
      spaceId: space.id,
      service: 'task',
      reason: 'RUNTIME_UNAVAILABLE',
    });
    expect(JSON.stringify(letters)).not.toContain('@@poison');

    await cureAndRetry('event-bus.dispatching', 'event_bus.emissions', 'payload', 'jsonb', bad);
    await until(() => arrived(bad), PATIENCE);
    // The cure changes the dead letter alone: a copy that is still in the outbox would end the process again.
    // It was sent some times already, and is not due again for minutes: here it is due now.
    const copies = () =>
      platform.database.query(`update event_bus.outbox set locked_until = 'epoch' where id = $1 returning 1`, [
        letterId,
      ]);
    await until(async () => (await copies()).length === 0, { ...PATIENCE, everyMs: 2000 });
    await cureAndRetry('inbox.handling', 'task.dead_letter', 'body', 'text', letterId);
    await until(() => arrived(message), PATIENCE);
  }, 400_000);

  it('as a job is given up', async () => {
    const submit = (query: string) => submitJob({ inputs: { query } });
    const job = async (id: string) => (await space.owner.get(`/agent-jobs/${id}`)).body.data;
    const count = counting('job');
    const [bad, ...good] = await Promise.all([submit(poisonFor('job.attempt')), submit('hello'), submit('hello')]);
    expect(await poisoned('job')).toMatchObject({ id: bad, losses: 2 });
    expect(await job(bad)).toMatchObject({ phase: 'FAILED', error: { code: 'RUNTIME_UNAVAILABLE' } });
    for (const id of good) await until(async () => (await job(id))?.phase === 'SUCCEEDED', PATIENCE);
    expect(count.deaths()).toBe(2);
    count.end();
    await cureAndRetry('job.attempt', 'job.jobs', 'input', 'jsonb', bad);
    await until(async () => (await job(bad))?.phase === 'SUCCEEDED', PATIENCE);
  }, 400_000);

  it('as a callback is given up, those beside it arrive, and it is sent when it was mended', async () => {
    const received: string[] = [];
    const server = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const callbackUrl = `http://127.0.0.2:${(server.address() as AddressInfo).port}/hook`;
    const submit = (query: string) => submitJob({ inputs: { query } }, { callbackUrl });
    const callback = async (id: string) => (await space.owner.get(`/agent-jobs/${id}/callback`)).body.data;
    const count = counting('job');
    const [bad, ...good] = await Promise.all([submit(poisonFor('job.callback')), submit('hello'), submit('hello')]);
    const row = await poisoned('callback');
    expect(row).toMatchObject({ losses: 2 });
    await until(async () => (await callback(bad))?.status === 'GIVEN_UP', PATIENCE);
    expect(await callback(bad)).toMatchObject({ lastResult: 'RUNTIME_UNAVAILABLE' });
    for (const id of good) await until(async () => (await callback(id))?.status === 'DELIVERED', PATIENCE);
    // One loss is excused where another callback ran beside it.
    expect([2, 3]).toContain(count.deaths());
    count.end();
    expect(received).not.toContain(row.id);
    await cureAndRetry('job.callback', 'job.callbacks', 'body', 'text', row.id);
    await until(() => received.includes(row.id), PATIENCE);
    server.closeAllConnections();
    server.close();
  }, 400_000);

  it('as a turn is given up, and the turns beside it come to their end', async () => {
    const execute = (query: string) => space.owner.post(`/agents/${agentId}/execute`, { inputs: { query } });
    const count = counting('agent');
    const extra = Promise.all([execute('@@delay 100\n@@tokens 60'), execute('@@delay 100\n@@tokens 60')]);
    const refused = await execute(poisonFor('agent.turn'));
    expect([refused.status, refused.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
    expect((await extra).map(({ status }) => status)).toEqual([200, 200]);
    const row = await poisoned('turn');
    expect(row).toMatchObject({ losses: 2 });
    expect(count.deaths()).toBe(2);
    count.end();
    await cureAndRetry('agent.turn', 'session.turns', 'input', 'json', row.id);
    const status = () =>
      platform.database.query<{ status: string }>('select status from session.turns where turn_id = $1', [row.id]);
    await until(async () => (await status())[0]?.status === 'COMPLETED', PATIENCE);
  }, 400_000);

  it('as a turn, while requests that lost the same process are repeated, is given up alone', async () => {
    await platform.service('agent').ready();
    const execute = (query: string) => space.owner.post(`/agents/${agentId}/execute`, { inputs: { query } });
    const given = async (): Promise<string[]> =>
      ((await operator.get('/operator/poisoned?kind=turn&limit=100')).body.data as Poisoned[]).map(({ id }) => id);
    const before = await given();
    const count = counting('agent');
    const trials = mostTrials(platform.service('agent'));
    const others = Promise.all(Array.from({ length: 8 }, () => execute('@@delay 100\n@@tokens 40')));
    const refused = await execute(poisonFor('agent.turn'));
    expect([refused.status, refused.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
    expect((await others).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const added = await until(async () => {
      const rows = (await given()).filter((id) => !before.includes(id));
      return rows.length > 0 ? rows : null;
    }, PATIENCE);
    expect(added).toHaveLength(1);
    // One loss is excused where it ran beside the repeated requests.
    expect([2, 3]).toContain(count.deaths());
    count.end();
    expect(await trials.end()).toBeGreaterThan(0);
  }, 400_000);

  it('as a call that has left nothing behind is asked for twice', async () => {
    await platform.service('agent').ready();
    const count = counting('agent');
    const refused = await space.owner.post(`/agents/${agentId}/execute`, {
      inputs: { query: poisonFor('agent.starting') },
    });
    expect([refused.status, refused.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
    // The second one is missed at once; its successor comes a moment later.
    await until(() => count.deaths() >= 2);
    await platform.service('agent').ready();
    expect(count.deaths()).toBe(2);
    count.end();
    expect((await space.owner.post(`/agents/${agentId}/execute`, { inputs: { query: 'hello' } })).status).toBe(200);
  }, 400_000);

  it('as a call is known to all gateways: another one does not ask for it again', async () => {
    await platform.service('agent').ready();
    const other = await startGateway(platform);
    const count = counting('agent');
    const chat = {
      turnId: randomUUID(),
      stream: false,
      contents: [{ type: 'text', text: poisonFor('agent.starting') }],
    };
    for (const client of [space.owner, other.at(space.owner)]) {
      const refused = await client.post(`/agents/${agentId}/chat`, chat);
      expect([refused.status, refused.body.code]).toEqual([503, 'RUNTIME_UNAVAILABLE']);
      await until(() => count.deaths() >= 2);
      await platform.service('agent').ready();
    }
    expect(count.deaths()).toBe(2);
    count.end();
    await other.stop();
  }, 400_000);

  it('as a call beside steady traffic of two gateways ends two processes, and no other one is given up', async () => {
    await platform.service('agent').ready();
    const other = await startGateway(platform);
    const clients = [space.owner, other.at(space.owner)];
    const client = (at: number): Client => clients[at % clients.length] as Client;
    const count = counting('agent');
    let sent = 0;
    const traffic = setInterval(() => {
      sent += 1;
      void client(sent)
        .get(`/agents/${agentId}`)
        .catch(() => undefined);
    }, 50);
    const start = (query: string) => ({
      turnId: randomUUID(),
      stream: false,
      contents: [{ type: 'text', text: query }],
    });
    const ended = async (at: number, chat: object): Promise<string | undefined> => {
      const { status, body } = await client(at).post(`/agents/${agentId}/chat`, chat);
      if (status === 200) return 'answered';
      return body.code === 'RUNTIME_UNAVAILABLE' ? 'given up' : undefined;
    };
    const ask = (at: number, chat: object): Promise<string> => until(() => ended(at, chat), PATIENCE);
    try {
      const hello = [0, 1, 2].map((at) => ask(at, start('hello')));
      const bad = start(poisonFor('agent.starting'));
      expect(await ask(0, bad)).toBe('given up');
      expect(await Promise.all(hello)).toEqual(['answered', 'answered', 'answered']);
      await until(() => count.deaths() >= 2);
      await platform.service('agent').ready();
      expect([await ask(1, bad), await ask(1, start('hello'))]).toEqual(['given up', 'answered']);
      expect(count.deaths()).toBe(2);
    } finally {
      clearInterval(traffic);
      count.end();
      await other.stop();
    }
  }, 400_000);

  it('as a stream of two gateways at once ends two processes, and not one more', async () => {
    await platform.service('agent').ready();
    const other = await startGateway(platform);
    const count = counting('agent');
    const chat = {
      turnId: randomUUID(),
      stream: true,
      contents: [{ type: 'text', text: poisonFor('agent.starting') }],
    };
    const headers = { 'x-service-stream-protocol': 'stream-v3' };
    const codes = async (): Promise<string[]> => {
      const answers = await Promise.all(
        [space.owner, other.at(space.owner)].map((client) => client.post(`/agents/${agentId}/chat`, chat, { headers })),
      );
      await platform.service('agent').ready();
      return answers.map(({ body }) => body.code as string);
    };
    const refused = ['RUNTIME_UNAVAILABLE', 'RUNTIME_UNAVAILABLE'];
    const rounds: string[][] = [];
    try {
      await until(async () => rounds[rounds.push(await codes()) - 1]?.join() === refused.join(), PATIENCE);
      expect(count.deaths()).toBe(2);
      expect(rounds[0]).not.toContain('RUNTIME_UNAVAILABLE');
    } finally {
      count.end();
      await other.stop();
    }
  }, 400_000);
});
