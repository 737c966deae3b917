import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();
let space: TestSpace;
let jobs: JobActions;
beforeAll(async () => {
  space = await platform.newSpace();
  jobs = await JobActions.open(space);
});

const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}\n@@reply chosen {{tool}}';

describe('a job whose turn takes a while', () => {
  it('ends by the signal that its turn has ended, without a poll', async () => {
    const { id } = await jobs.submit('@@delay 100\n@@tokens 20');
    const isReleased = await until(async () => {
      const remaining = await platform.database.query(
        `update job.jobs set run_at = now() + interval '1 hour'
          where id = $1 and phase = 'RUNNING' and worker is null and looks = 1 returning id`,
        [id],
      );
      return remaining.length === 1;
    });
    expect(isReleased).toBe(true);
    await jobs.reaches(id, 'SUCCEEDED');
  });
});

describe('a job that needs its user', () => {
  it('waits for the choice in its session, then goes on', async () => {
    const sessionId = (await space.owner.post('/agents/sessions', { agentId: jobs.agentId })).body.data.id;
    const { id } = await jobs.submit('', { input: { inputs: { query: ASK }, session_id: sessionId } });
    const waiting = await jobs.reaches(id, 'WAITING_INPUT');
    expect(waiting.interaction).toMatchObject({ kind: 'single_choice', prompt: 'Which?' });
    const resumed = await space.owner.stream(
      `/agents/${jobs.agentId}/turns/${waiting.turnId}/resume`,
      { sessionId, interactionId: waiting.interaction.id, selectedOptionIds: ['b'], otherText: null },
      { headers: { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' } },
    );
    expect(resumed.status).toBe(200);
    await resumed.all();
    const done = await jobs.reaches(id, 'SUCCEEDED');
    expect(done).toMatchObject({
      interaction: null,
      attempt: 1,
      result: { session_id: sessionId, answer: expect.stringContaining('chosen') },
    });
  });

  it('is polled less often while there is no answer', async () => {
    const sessionId = (await space.owner.post('/agents/sessions', { agentId: jobs.agentId })).body.data.id;
    const { id } = await jobs.submit('', { input: { inputs: { query: ASK }, session_id: sessionId } });
    await jobs.reaches(id, 'WAITING_INPUT');
    // Eight looks have found nothing, and the next one is due.
    await platform.database.query('update job.jobs set looks = 8, run_at = now() where id = $1', [id]);
    const looked = await until(async () => {
      const rows = await platform.database.query<{ worker: string | null; wait: number }>(
        `select worker, extract(epoch from run_at - now())::int as wait from job.jobs
          where id = $1 and looks = 9 and phase = 'WAITING_INPUT'`,
        [id],
      );
      return rows[0];
    });
    expect(looked.worker).toBeNull();
    expect(looked.wait).toBeGreaterThan(500);
    expect((await space.owner.post(`/agent-jobs/${id}/cancel`, {})).body.data.phase).toBe('CANCELLED');
  });

  it('is cancelled while it waits, and its turn with it', async () => {
    const sessionId = (await space.owner.post('/agents/sessions', { agentId: jobs.agentId })).body.data.id;
    const { id } = await jobs.submit('', { input: { inputs: { query: ASK }, session_id: sessionId } });
    const { turnId } = await jobs.reaches(id, 'WAITING_INPUT');
    expect((await space.owner.post(`/agent-jobs/${id}/cancel`, {})).body.data.phase).toBe('CANCELLED');
    await until(
      async () => (await space.owner.get(`/agents/${jobs.agentId}/turns/${turnId}`)).body.data.status === 'CANCELLED',
    );
    const again = await jobs.submit('', { input: { inputs: { query: 'Hi' }, session_id: sessionId } });
    await jobs.reaches(again.id, 'SUCCEEDED');
  });

  it('is cancelled while it waits, although its maker may not call the agent any more', async () => {
    const own = await JobActions.open(space);
    const member = await space.member('MEMBER');
    const maker = new JobActions(member, own.agentId);
    const sessionId = (await member.post('/agents/sessions', { agentId: own.agentId })).body.data.id;
    const { id } = await maker.submit('', { input: { inputs: { query: ASK }, session_id: sessionId } });
    const { turnId } = await maker.reaches(id, 'WAITING_INPUT');
    const rule = { accessScope: 'RESTRICTED', allowedUserIds: [space.owner.identity.userId] };
    expect((await space.owner.put(`/agents/${own.agentId}`, rule)).status).toBe(200);
    expect((await member.post(`/agent-jobs/${id}/cancel`, {})).body.data.phase).toBe('CANCELLED');
    await until(
      async () => (await space.owner.get(`/agents/${own.agentId}/turns/${turnId}`)).body.data.status === 'CANCELLED',
    );
  });

  it('is cancelled soon after its session was deleted, be it waiting or running', async () => {
    const begin = async (query: string, phase: string): Promise<{ id: string; sessionId: string }> => {
      const sessionId = (await space.owner.post('/agents/sessions', { agentId: jobs.agentId })).body.data.id;
      const { id } = await jobs.submit('', { input: { inputs: { query }, session_id: sessionId } });
      await jobs.reaches(id, phase);
      // It is let go of until there is news of its turn.
      await until(async () => {
        const of = await platform.database.query<{ worker: string | null }>(
          `select worker from job.jobs where id = $1 and turn_id is not null`,
          [id],
        );
        return of[0]?.worker === null;
      });
      return { id, sessionId };
    };
    for (const [query, phase] of [
      [ASK, 'WAITING_INPUT'],
      ['@@delay 200\n@@tokens 200', 'RUNNING'],
    ] as const) {
      const { id, sessionId } = await begin(query, phase);
      expect((await space.owner.delete(`/agents/sessions/${sessionId}`)).status).toBe(200);
      expect(await jobs.reaches(id, 'CANCELLED', 3_000)).toMatchObject({ error: null, result: null });
    }
  });

  it('goes on without an answer when it has no session', async () => {
    const { id } = await jobs.submit(ASK);
    expect((await jobs.reaches(id, 'SUCCEEDED')).result.answer).toContain('INTERACTION_REQUIRED');
  });
});
