import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

/** Of values encrypted with a key that was lost, and of bytes that were changed. */
const DAMAGES = [
  ['needs a lost key', 'set_byte($, 1, 99)'],
  ['has changed', 'set_byte($, length($) - 1, get_byte($, length($) - 1) # 1)'],
  ['is cut', 'substring($ from 1 for 5)'],
] as const;

interface ReceivedRequest {
  path: string;
  body: string;
  token: string | undefined;
}

let space: TestSpace;
let server: Server;
let url: string;
const received: ReceivedRequest[] = [];

beforeAll(async () => {
  space = await platform.newSpace();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const token = request.headers['x-token'] as string | undefined;
      received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), token });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  url = `http://127.0.0.2:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const dataOf = ({ status, body }: { status: number; body: Answer }, expected: number): Answer => {
  expect([status, body.code]).toEqual([expected, undefined]);
  return body.data;
};

async function ended(executionId: string): Promise<Answer> {
  return until(async () => {
    const run = dataOf(await space.owner.get(`/tasks/executions/${executionId}`), 200);
    return ['SUCCEEDED', 'FAILED'].includes(run.status as string) ? run : null;
  });
}

describe.each(DAMAGES)('a secret of a Space whose stored value %s', (_, damaged) => {
  const name = `DAMAGED_${DAMAGES.findIndex(([, each]) => each === damaged)}`;
  const path = `/step-${name}`;
  let id: string;
  let taskId: string;

  beforeAll(async () => {
    id = dataOf(await space.owner.post('/secrets', { name, value: 'first' }), 201).id;
    const step = { url: `${url}${path}`, headers: { 'X-Token': `{{ secrets.${name} }}` } };
    const retry = { maxAttempts: 5, backoffSeconds: 1 };
    const steps = [{ id: 'call', type: 'http', with: step, retry }];
    taskId = dataOf(await space.owner.post('/tasks', { name: 'Uses it', steps }), 201).id;
    const sql = `update key.secrets set sealed = ${damaged.replaceAll('$', 'sealed')} where id = $1`;
    await platform.database.query(sql, [id]);
  });

  it('is listed, shown and described', async () => {
    const listed: Answer[] = dataOf(await space.owner.get('/secrets'), 200);
    expect(listed).toContainEqual(expect.objectContaining({ id, name }));
    expect(dataOf(await space.owner.get(`/secrets/${id}`), 200)).toMatchObject({ name });
    dataOf(await space.owner.put(`/secrets/${id}`, { description: 'damaged' }), 200);
  });

  it('fails the step that uses it at once, with its name and what to do', async () => {
    const { id: run } = dataOf(await space.owner.post(`/tasks/${taskId}/execute`, {}), 202);
    const message = `The secret ${name} cannot be decrypted. Save it again, with its value.`;
    expect(await ended(run as string)).toMatchObject({
      status: 'FAILED',
      steps: [{ attempt: 1, error: { code: 'SECRET_UNREADABLE', message } }],
    });
    expect(received.filter((each) => each.path === path)).toEqual([]);
  });

  it('serves again once it is saved', async () => {
    dataOf(await space.owner.put(`/secrets/${id}`, { value: 'second' }), 200);
    const { id: run } = dataOf(await space.owner.post(`/tasks/${taskId}/execute`, {}), 202);
    expect(await ended(run as string)).toMatchObject({ status: 'SUCCEEDED' });
    expect(received.filter((each) => each.path === path)).toMatchObject([{ token: 'second' }]);
  });
});

describe.each(DAMAGES)('a webhook secret whose stored value %s', (_, damaged) => {
  let damagedSpace: TestSpace;
  let callback: string;

  beforeAll(async () => {
    damagedSpace = await platform.newSpace();
    callback = `/callback-${damagedSpace.id}`;
    const sql = `update key.spaces set sealed_webhook_secret = ${damaged.replaceAll('$', 'sealed_webhook_secret')}
                 where id = $1`;
    await platform.database.query(sql, [damagedSpace.id]);
  });

  it('leaves its Space listed, shown and changed, and says so to those in charge', async () => {
    const path = `/spaces/${damagedSpace.id}`;
    const shown = dataOf(await damagedSpace.owner.get(path), 200);
    expect(shown).toMatchObject({ problem: expect.stringContaining('Rotate it.'), used: {}, ceilings: {} });
    expect(shown).not.toHaveProperty('webhookSecret');
    const member = await damagedSpace.member('MEMBER');
    expect(dataOf(await member.get(path), 200)).not.toHaveProperty('problem');
    dataOf(await damagedSpace.owner.get('/spaces'), 200);
    dataOf(await damagedSpace.owner.patch(path, { name: 'Renamed' }), 200);
    expect(dataOf(await space.owner.get(`/spaces/${space.id}`), 200)).not.toHaveProperty('problem');
  });

  it('delays callbacks, which say why, until it is rotated', async () => {
    const agent = { name: 'A', model: 'sim-chat', systemPrompt: 'You help.' };
    const { id: agentId } = dataOf(await damagedSpace.owner.post('/agents', agent), 201);
    const job = { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: 'Hi' } }, callbackUrl: `${url}${callback}` };
    const { id: jobId } = dataOf(await damagedSpace.owner.post('/agent-jobs', job), 202);
    const state = async (): Promise<Answer> =>
      dataOf(await damagedSpace.owner.get(`/agent-jobs/${jobId as string}/callback`), 200);
    const failed = await until(async () => {
      const found = await state();
      return (found.attempts as number) >= 1 ? found : null;
    });
    expect(failed).toMatchObject({ status: 'PENDING', lastResult: 'SECRET_UNREADABLE' });
    const path = `/spaces/${damagedSpace.id}`;
    const { webhookSecret } = dataOf(await damagedSpace.owner.post(`${path}/webhook-secret/rotate`, {}), 200);
    expect(dataOf(await damagedSpace.owner.get(path), 200)).toMatchObject({ webhookSecret });
    await platform.database.query('update job.callbacks set due_at = now() where job_id = $1', [jobId]);
    await until(async () => ((await state()).status === 'DELIVERED' ? true : null));
    expect(received.filter((each) => each.path === callback)).toHaveLength(1);
  });
});
