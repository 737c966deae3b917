import { type Client, raisedEvent, until, usePlatform, watchPlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();

interface SeenEnvelope {
  id: string;
  event: string;
  depth: number;
  payload: Record<string, unknown>;
}

const envelopesFor = async (client: Client): Promise<SeenEnvelope[]> =>
  (await client.get('/events/envelopes?appIdentifier=switchyard')).body.data as SeenEnvelope[];

interface SeenRow {
  kind: string;
  name: string | null;
  status: string;
}

/** Rows of a stream of activity as they come. */
async function follow(client: Client): Promise<{ rows: SeenRow[]; leave: () => void }> {
  const leaving = new AbortController();
  const stream = await client.stream('/activity/stream', undefined, { signal: leaving.signal });
  expect(stream.status).toBe(200);
  const rows: SeenRow[] = [];
  const read = async (): Promise<void> => {
    for await (const { data } of stream.frames) rows.push(data as SeenRow);
  };
  void read().catch(() => undefined);
  return { rows, leave: () => leaving.abort() };
}

describe('events of jobs', () => {
  it('show to the person of the job and to ADMIN, and to no other member', async () => {
    const space = await platform.newSpace();
    const step = { id: 'note', type: 'transform', with: { text: 'done' } };
    const task = { name: 'Watch', type: 'EVENT', active: true, steps: [step] };
    const taskId = (await space.owner.post('/tasks', task)).body.data.id as string;
    const subscription = { appIdentifier: 'switchyard', event: 'job.succeeded', taskId };
    expect((await space.owner.post('/events/subscriptions', subscription)).status).toBe(201);
    const { agentId } = await JobActions.open(space);
    const [author, other] = [await space.member('MEMBER'), await space.member('MEMBER')];
    const job = await new JobActions(author, agentId).submit('a text that no event may carry');
    const [envelope] = await until(async () => {
      const found = await envelopesFor(space.owner);
      return found.length > 0 ? found : null;
    });
    expect(envelope).toMatchObject({
      event: 'job.succeeded',
      depth: 1,
      payload: {
        kind: 'job',
        jobId: job.id as string,
        name: 'A',
        agentId,
        userId: author.identity.userId,
        status: 'SUCCEEDED',
      },
    });
    expect(JSON.stringify(envelope)).not.toContain('a text that');
    expect(await envelopesFor(author)).toHaveLength(1);
    expect(await envelopesFor(other)).toEqual([]);
    expect((await other.get(`/events/envelopes/${envelope?.id ?? ''}`)).status).toBe(404);
    expect((await other.post(`/events/envelopes/${envelope?.id ?? ''}/replay`, {})).status).not.toBe(202);
    expect(JSON.stringify((await other.get('/events/stats')).body)).not.toContain('job.succeeded');
    const listed = async (client: Client): Promise<unknown[]> =>
      (await client.get('/activity?kind=emission')).body.data as unknown[];
    expect(await listed(author)).toMatchObject([{ kind: 'emission', id: envelope?.id, name: 'job.succeeded' }]);
    expect(Object.keys((await listed(author))[0] as object)).not.toContain('audience');
    expect(await listed(other)).toEqual([]);
    const counted = async (client: Client): Promise<number> => {
      const counts = (await client.get('/activity/counts')).body.data as { kind: string; count: number }[];
      return counts.filter(({ kind }) => kind === 'emission').reduce((sum, { count }) => sum + count, 0);
    };
    expect(await Promise.all([space.owner, author, other].map((client) => counted(client)))).toEqual([1, 1, 0]);
    const path = `/activity/causes/emission/${envelope?.id ?? ''}`;
    expect((await author.get(path)).status).toBe(200);
    expect((await other.get(path)).status).toBe(404);
    const [run] = await until(async () => {
      const runs = (await other.get(`/tasks/${taskId}/executions`)).body.data as { id: string }[];
      return runs.length > 0 ? runs : null;
    });
    const tree = (await other.get(`/activity/causes/execution/${run?.id ?? ''}`)).body;
    expect(JSON.stringify(tree)).not.toContain('job.succeeded');
    expect(JSON.stringify((await author.get(path)).body)).toContain('job.succeeded');
  });

  it('have the name that the agent had when the job was submitted', async () => {
    const space = await platform.newSpace();
    await watchPlatform(space, 'job.waiting_input', 'job.cancelled');
    const jobs = await JobActions.open(space);
    const question = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'Apple' }] };
    const inputs = { query: `@@tool ask_user ${JSON.stringify(question)}\n@@reply done` };
    const session = await space.owner.post('/agents/sessions', { agentId: jobs.agentId });
    const job = await jobs.submit('', { input: { inputs, session_id: session.body.data.id } });
    expect((await raisedEvent(space, 'job.waiting_input')).payload).toMatchObject({ jobId: job.id, name: 'A' });
    expect((await space.owner.put(`/agents/${jobs.agentId}`, { name: 'B' })).status).toBe(200);
    expect((await space.owner.post(`/agent-jobs/${job.id as string}/cancel`, {})).status).toBe(200);
    expect((await raisedEvent(space, 'job.cancelled')).payload).toMatchObject({ jobId: job.id, name: 'A' });
  });

  it('are sent to those streams of activity alone that may see them', async () => {
    const space = await platform.newSpace();
    const step = { id: 'note', type: 'transform', with: { text: 'done' } };
    const task = { name: 'Watch', type: 'EVENT', active: true, steps: [step] };
    const taskId = (await space.owner.post('/tasks', task)).body.data.id as string;
    const subscription = { appIdentifier: 'switchyard', event: 'job.succeeded', taskId };
    expect((await space.owner.post('/events/subscriptions', subscription)).status).toBe(201);
    const { agentId } = await JobActions.open(space);
    const [author, other] = [await space.member('MEMBER'), await space.member('MEMBER')];
    const [own, others] = [await follow(author), await follow(other)];
    await new JobActions(author, agentId).submit('hello');
    await until(() => own.rows.some(({ name }) => name === 'job.succeeded') || null);
    await until(() => others.rows.some(({ kind, status }) => kind === 'execution' && status === 'SUCCEEDED') || null);
    expect(others.rows.filter(({ kind }) => kind === 'emission')).toEqual([]);
    for (const { leave } of [own, others]) leave();
  });
});
