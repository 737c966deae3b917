import { newId } from '@switchyard/kernel';
import { type Answer, type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const KIB = 1024;

let space: TestSpace;
let owner: Client;

beforeAll(async () => {
  space = await platform.newSpace();
  ({ owner } = space);
});

const refused = (path: string): object => ({
  status: 400,
  body: { code: 'VALIDATION_ERROR', details: [{ path, message: expect.stringContaining('KiB') }] },
});

describe('a task from before its fields had limits', () => {
  const steps = (bytes: number): object[] => [{ id: 'a', type: 'transform', with: { text: 'x'.repeat(bytes) } }];
  const made = async (): Promise<string> =>
    (await owner.post('/tasks', { name: 'Old', steps: steps(1) })).body.data.id as string;
  const plant = (id: string, bytes: number): Promise<unknown> =>
    platform.database.query('update task.tasks set steps = $2 where id = $1', [id, JSON.stringify(steps(bytes))]);

  it('goes on up to four times the limit, and keeps its steps when others of its fields change', async () => {
    const id = await made();
    await plant(id, 600 * KIB);
    const oversized = { path: 'steps', bytes: expect.any(Number), limit: 256 * KIB };
    expect((await owner.get(`/tasks/${id}`)).body.data).toMatchObject({ active: true, oversized });
    const started = await owner.post(`/tasks/${id}/execute`, {});
    expect(started.status).toBe(202);
    const renamed = await owner.put(`/tasks/${id}`, { name: 'Renamed' });
    expect(renamed).toMatchObject({ status: 200, body: { data: { name: 'Renamed', oversized } } });
    expect((await owner.get(`/tasks/${id}`)).body.data.steps[0].with.text).toHaveLength(600 * KIB);
    expect(await owner.put(`/tasks/${id}`, { steps: steps(600 * KIB) })).toMatchObject(refused('steps'));
    const mended = await owner.put(`/tasks/${id}`, { steps: steps(10) });
    expect([mended.status, mended.body.data.oversized]).toEqual([200, undefined]);
    const [listed] = (await owner.get('/tasks?limit=1')).body.data;
    expect(listed.oversized).toBeUndefined();
  });

  it('is inactive beyond that, and is not read until its steps are given anew', async () => {
    const id = await made();
    await plant(id, 1100 * KIB);
    const read = await owner.get(`/tasks/${id}`);
    expect(read.body.data).toMatchObject({ active: false, steps: [], oversized: { path: 'steps', limit: 256 * KIB } });
    expect(await owner.post(`/tasks/${id}/execute`, {})).toMatchObject(refused('steps'));
    expect(await owner.put(`/tasks/${id}`, { active: true })).toMatchObject(refused('steps'));
    const mended = await owner.put(`/tasks/${id}`, { active: true, steps: steps(10) });
    expect(mended).toMatchObject({ status: 200, body: { data: { active: true } } });
    expect((await owner.post(`/tasks/${id}/execute`, {})).status).toBe(202);
  });
});

describe('an execution from before steps had a limit', () => {
  let taskId: string;

  beforeAll(async () => {
    const steps = [{ id: 'a', type: 'transform', with: { text: 'x' } }];
    taskId = (await owner.post('/tasks', { name: 'Old steps', steps })).body.data.id;
  });

  /** As an older version recorded it: queued, or running without a worker. */
  const planted = async (bytes: number, status: 'QUEUED' | 'RUNNING'): Promise<string> => {
    const id = newId();
    await platform.database.query(
      `insert into task.executions (space_id, id, task_id, task_version, kind, status, steps, inputs, max_attempts, last_attempt,
         backoff_seconds, timeout_seconds, owner_id, scopes, correlation_id, depth, bytes, started_at, deadline_at)
       select space_id, $2, id, 1, 'MANUAL', $3, jsonb_set(steps, '{0,with,text}', to_jsonb(repeat('x', $4::int))), '{}', 3, 3,
         1, 300, owner_id, scopes, $2, 0, $4, case when $3 = 'RUNNING' then now() end, case when $3 = 'RUNNING' then now() + interval '5 minutes' end
         from task.tasks where id = $1`,
      [taskId, id, status, bytes],
    );
    return id;
  };
  const ended = (id: string): Promise<Answer> =>
    until(async () => {
      const { body } = await owner.get(`/tasks/executions/${id}`);
      return ['SUCCEEDED', 'FAILED'].includes(body.data.status) ? body.data : null;
    });
  const poisoned = async (id: string): Promise<Answer[]> => {
    const { body } = await space.operator.get('/operator/poisoned?kind=execution&limit=100');
    return (body.data as Answer[]).filter((row) => row.id === id);
  };

  it('runs with steps of up to four times the limit', async () => {
    const id = await planted(600 * KIB, 'QUEUED');
    const run = await ended(id);
    expect(run).toMatchObject({ status: 'SUCCEEDED' });
    expect(run.output.text).toHaveLength(600 * KIB);
    expect(await poisoned(id)).toEqual([]);
  });

  it.each(['QUEUED', 'RUNNING'] as const)('fails beyond that when it is %s, and operators see it', async (status) => {
    const id = await planted(1100 * KIB, status);
    const error = { code: 'VALIDATION_ERROR', message: expect.stringContaining('256 KiB') };
    expect(await ended(id)).toMatchObject({ status: 'FAILED', attempt: 1, steps: [], error });
    expect(await poisoned(id)).toMatchObject([{ kind: 'execution', spaceId: space.id, losses: 0 }]);
    const path = `/tasks/executions/${id}`;
    const retried = await owner.post(`${path}/retry`, {});
    expect([retried.status, retried.body.message]).toEqual([409, expect.stringContaining('too large to be read')]);
    // He cannot either.
    expect(retried.body.message).not.toContain('operator');
    expect((await space.operator.post(`/operator/poisoned/${id}/retry`, {})).status).toBe(409);
    const [listed] = (await owner.get(`/tasks/${taskId}/executions?limit=1`)).body.data;
    expect(listed).toMatchObject({ id, steps: [] });
    expect((await owner.post(`${path}/rerun`, {})).body.data).toMatchObject({ rerunOf: id, steps: [{ id: 'a' }] });
  });
});

describe('a subscription from before filters had a limit', () => {
  const filter = (bytes: number): object => ({ name: 'x'.repeat(bytes) });

  it('goes on up to four times the limit, and is inactive beyond', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const manifest = { identifier: 'old-filters', name: 'Old', version: '1.0.0', events: [{ name: 'made', schema }] };
    expect((await owner.post('/applications', { manifest })).status).toBe(201);
    const task = await owner.post('/tasks', {
      name: 'T',
      type: 'EVENT',
      steps: [{ id: 'a', type: 'wait', with: { seconds: 0 } }],
    });
    const body = { appIdentifier: 'old-filters', event: 'made', taskId: task.body.data.id };
    expect(await owner.post('/events/subscriptions', { ...body, filter: filter(17 * KIB) })).toMatchObject(
      refused('filter'),
    );
    const made = await owner.post('/events/subscriptions', { ...body, filter: filter(10) });
    const path = `/events/subscriptions/${made.body.data.id}`;
    const plant = (bytes: number): Promise<unknown> =>
      platform.database.query('update event_bus.subscriptions set filter = $2 where id = $1', [
        made.body.data.id,
        JSON.stringify(filter(bytes)),
      ]);
    await plant(40 * KIB);
    expect((await owner.get(path)).body.data).toMatchObject({ active: true, oversized: { path: 'filter' } });
    expect((await owner.patch(path, { active: false })).status).toBe(200);
    expect((await owner.patch(path, { active: true })).status).toBe(200);
    expect((await owner.get(path)).body.data.filter.name).toHaveLength(40 * KIB);
    await plant(70 * KIB);
    const unread = (await owner.get(path)).body.data;
    expect(unread).toMatchObject({ active: false, oversized: { path: 'filter' } });
    expect(unread.filter).toEqual({});
    expect(await owner.patch(path, { active: true })).toMatchObject(refused('filter'));
    const mended = await owner.patch(path, { active: true, filter: filter(10) });
    expect(mended).toMatchObject({ status: 200, body: { data: { active: true, filter: filter(10) } } });
    expect(mended.body.data.oversized).toBeUndefined();
  });
});

describe('an agent from before its fields had limits', () => {
  const plant = (id: string, field: string, bytes: number): Promise<unknown> =>
    platform.database.query(
      `update agent.agents set body = jsonb_set(body, array[$2::text], jsonb_build_object('note', repeat('x', $3::int))) where id = $1`,
      [id, field, bytes],
    );
  const made = async (): Promise<string> =>
    (await owner.post('/agents', { name: 'Old', model: 'sim-chat', systemPrompt: 'You help.' })).body.data.id as string;

  it('goes on up to four times the limit, and its versions are held to the limit when they are restored', async () => {
    const id = await made();
    await plant(id, 'metadata', 40 * KIB);
    const path = `/agents/${id}`;
    const changed = await owner.put(path, { description: 'Changed' });
    const oversized = { path: 'metadata', limit: 16 * KIB };
    expect(changed).toMatchObject({ status: 200, body: { data: { oversized, description: 'Changed' } } });
    expect((await owner.post(`${path}/execute`, { inputs: { query: 'Hi' } })).status).toBe(200);
    expect(await owner.put(path, { metadata: { note: 'x'.repeat(40 * KIB) } })).toMatchObject(refused('metadata'));
    const mended = await owner.put(path, { metadata: {} });
    expect([mended.status, mended.body.data.oversized]).toEqual([200, undefined]);
    expect(await owner.post(`${path}/versions/2/restore`, {})).toMatchObject(refused('metadata'));
    expect((await owner.post(`${path}/versions/1/restore`, {})).status).toBe(200);
  });

  it('answers 400 beyond that, naming the field, until the field is given anew', async () => {
    const id = await made();
    await plant(id, 'metadata', 70 * KIB);
    const path = `/agents/${id}`;
    const unread = (await owner.get(path)).body.data;
    expect(unread).toMatchObject({ oversized: { path: 'metadata' } });
    expect(unread.metadata).toEqual({});
    const message = { contents: [{ type: 'text', text: 'Hi' }], stream: false };
    expect(await owner.post(`${path}/chat`, message)).toMatchObject(refused('metadata'));
    expect(await owner.post(`${path}/execute`, { inputs: {} })).toMatchObject(refused('metadata'));
    expect(await owner.put(path, { description: 'x' })).toMatchObject(refused('metadata'));
    expect((await owner.put(path, { metadata: {} })).status).toBe(200);
    expect((await owner.post(`${path}/execute`, { inputs: { query: 'Hi' } })).status).toBe(200);
    expect((await owner.get(`/agents/${newId()}`)).status).toBe(404);
  });

  it('shows a version without the field that is too large to be read, and does not restore it', async () => {
    const id = await made();
    const path = `/agents/${id}`;
    await owner.put(path, { description: 'Second' });
    await platform.database.query(
      `update agent.agent_versions set body = jsonb_set(body, '{metadata}', jsonb_build_object('note', repeat('x', $2::int)))
        where agent_id = $1 and version = 1`,
      [id, 70 * KIB],
    );
    const oversized = { path: 'metadata', bytes: expect.any(Number), limit: 16 * KIB };
    const shown = (await owner.get(`${path}/versions/1`)).body.data.agent;
    expect(shown).toMatchObject({ oversized });
    expect(shown.metadata).toEqual({});
    const listed = (await owner.get(`${path}/versions`)).body.data;
    expect(listed.map(({ agent }: { agent: object }) => agent)).toMatchObject([
      { version: 2 },
      { version: 1, oversized },
    ]);
    expect(listed[0].agent.oversized).toBeUndefined();
    expect(await owner.post(`${path}/versions/1/restore`, {})).toMatchObject(refused('metadata'));
    expect((await owner.post(`${path}/versions/2/restore`, {})).status).toBe(200);
  });
});

describe('a session from before its metadata had a limit', () => {
  it('is used as it is up to four times the limit, and without its metadata beyond', async () => {
    const { id } = (await owner.post('/agents/sessions', { title: 'Old', metadata: { note: 'short' } })).body.data;
    const path = `/agents/sessions/${id}`;
    const plant = (bytes: number): Promise<unknown> =>
      platform.database.query(
        `update session.sessions set metadata = jsonb_build_object('note', repeat('x', $2::int)) where id = $1`,
        [id, bytes],
      );
    expect((await owner.get(path)).body.data.oversized).toBeUndefined();
    await plant(40 * KIB);
    const oversized = { path: 'metadata', bytes: expect.any(Number), limit: 16 * KIB };
    const read = (await owner.get(path)).body.data;
    expect(read).toMatchObject({ oversized });
    expect(read.metadata.note).toHaveLength(40 * KIB);
    expect((await owner.patch(path, { title: 'Renamed' })).status).toBe(200);
    await plant(70 * KIB);
    const unread = (await owner.get(path)).body.data;
    expect(unread).toMatchObject({ title: 'Renamed', oversized });
    expect(unread.metadata).toEqual({});
    expect(await owner.patch(path, { title: 'Again' })).toMatchObject(refused('metadata'));
    const mended = await owner.patch(path, { metadata: { note: 'short' } });
    expect([mended.status, mended.body.data.oversized]).toEqual([200, undefined]);
  });

  it('has the mark from the database when it is inserted, too', async () => {
    const { id } = (await owner.post('/agents/sessions', { metadata: {} })).body.data;
    const copied = (bytes: number): Promise<{ oversized: unknown }[]> =>
      platform.database.query(
        `insert into session.sessions (space_id, id, user_id, metadata)
         select space_id, gen_random_uuid(), user_id, jsonb_build_object('note', repeat(E'\u0001', $2::int))
           from session.sessions where id = $1 returning oversized`,
        [id, bytes],
      );
    // Six bytes each as JSON, one in the database.
    expect(await copied(3 * KIB)).toMatchObject([{ oversized: [{ path: 'metadata' }] }]);
    expect(await copied(1 * KIB)).toMatchObject([{ oversized: null }]);
  });
});
