import { type Client, until, usePlatform } from '@switchyard/testing';
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
      payload: { kind: 'job', jobId: job.id as string, agentId, userId: author.identity.userId, status: 'SUCCEEDED' },
    });
    expect(JSON.stringify(envelope)).not.toContain('a text that');
    expect(await envelopesFor(author)).toHaveLength(1);
    expect(await envelopesFor(other)).toEqual([]);
    expect((await other.get(`/events/envelopes/${envelope?.id ?? ''}`)).status).toBe(404);
    expect((await other.post(`/events/envelopes/${envelope?.id ?? ''}/replay`, {})).status).not.toBe(202);
    expect(JSON.stringify((await other.get('/events/stats')).body)).not.toContain('job.succeeded');
  });
});
