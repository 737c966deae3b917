import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';

const platform = usePlatform();
export const SERVICES = ['job', 'task', 'session'] as const;
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}\n@@reply chosen {{tool}}';
/** Longer than a test takes to suspend the Space. */
export const LONG_TURN = '@@delay 100\n@@tokens 200';
const ENDLESS_TURN = '@@delay 1000\n@@tokens 600';
export const IS_TURN_OVER = `select 1 from session.turns t join job.jobs j on j.turn_id = t.turn_id where j.id = $1 and t.status = 'COMPLETED'`;

export const OPEN = { job: 'RUNNING', execution: 'RUNNING', question: 'PENDING' };
export const OVER = { job: 'TIMED_OUT', execution: 'TIMED_OUT', question: 'EXPIRED' };

export const decide = async (space: TestSpace, verb: 'suspend' | 'resume'): Promise<void> => {
  const body = verb === 'suspend' ? { reason: 'a test' } : {};
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};
export const each = async (names: readonly string[], verb: 'stop' | 'start' | 'ready' | 'crash'): Promise<void> => {
  await Promise.all(names.map((name) => platform.service(name)[verb]()));
};
export const query = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  platform.database.query<Row>(sql, values);
export const has = async (sql: string, ...values: unknown[]): Promise<boolean> => (await query(sql, values)).length > 0;

/** A job, an execution and a question of one Space, all of them under way and with a time that runs. */
export class OpenWork {
  private constructor(
    readonly space: TestSpace,
    readonly jobs: JobActions,
    readonly jobId: string,
    readonly executionId: string,
  ) {}

  /**
   * The turn of the job lasts 20 seconds, and the execution waits for 10: or both for minutes, if nothing is to end by
   * itself.
   */
  static async begin(space: TestSpace, { isLong = false } = {}): Promise<OpenWork> {
    const jobs = await JobActions.open(space);
    await ask(space.owner, jobs.agentId);
    const { id } = await jobs.submit(isLong ? ENDLESS_TURN : LONG_TURN);
    // After a crash, fresh work waits while lost work is recovered.
    await until(() => has(`select 1 from job.jobs where id = $1 and phase = 'RUNNING' and worker is null`, id), {
      timeoutMs: 120_000,
    });
    const executionId = await execute(space.owner, [
      { id: 'pause', type: 'wait', with: { seconds: isLong ? 600 : 10 } },
      { id: 'then', type: 'transform', with: { done: true } },
    ]);
    const work = new OpenWork(space, jobs, id, executionId);
    await until(async () => (await work.areFree()) && (await work.stands()).question === 'PENDING', {
      timeoutMs: 120_000,
    });
    return work;
  }

  /** No worker has them: they wait for their turn, or for their time. */
  private async areFree(): Promise<boolean> {
    const [jobs, executions] = [
      await has(`select 1 from job.jobs where id = $1 and phase = 'RUNNING' and worker is null`, this.jobId),
      await has(
        `select 1 from task.executions where id = $1 and status = 'RUNNING' and worker is null`,
        this.executionId,
      ),
    ];
    return jobs && executions;
  }

  async stands(): Promise<{ job?: string; execution?: string; question?: string }> {
    const [row = {}] = await query<{ job: string; execution: string; question: string }>(
      `select (select phase from job.jobs where id = $1) as job, (select status from task.executions where id = $2) as execution,
         (select status from session.interactions where space_id = $3) as question`,
      [this.jobId, this.executionId, this.space.id],
    );
    return row;
  }

  /** All of their deadlines have passed a minute ago. */
  async makeLate(): Promise<void> {
    await query(`update job.jobs set deadline_at = clock_timestamp() - interval '1 minute' where id = $1`, [
      this.jobId,
    ]);
    await query(`update task.executions set deadline_at = clock_timestamp() - interval '1 minute' where id = $1`, [
      this.executionId,
    ]);
    await query(
      `update session.interactions set expires_at = clock_timestamp() - interval '1 minute' where space_id = $1`,
      [this.space.id],
    );
  }

  /** As if the Space had been suspended for an hour longer. */
  async prolong(): Promise<void> {
    for (const service of SERVICES)
      await query(`update ${service}.stopped_clocks set since = since - interval '1 hour' where space_id = $1`, [
        this.space.id,
      ]);
  }

  async answer(): Promise<void> {
    const [question] = await query<{ id: string; turnId: string; sessionId: string }>(
      `select id, turn_id as "turnId", session_id as "sessionId" from session.interactions where space_id = $1`,
      [this.space.id],
    );
    const answer = {
      sessionId: question?.sessionId,
      interactionId: question?.id,
      selectedOptionIds: ['b'],
      otherText: null,
    };
    const path = `/agents/${this.jobs.agentId}/turns/${question?.turnId}/resume`;
    const stream = await this.space.owner.stream(path, answer, { headers: STREAM });
    expect(stream.status).toBe(200);
    await stream.all();
  }
}

async function ask(client: Client, agentId: string): Promise<void> {
  const contents = [{ type: 'text', text: ASK }];
  const stream = await client.stream(`/agents/${agentId}/chat`, { contents }, { headers: STREAM });
  await stream.all();
}

export async function execute(client: Client, steps: object[]): Promise<string> {
  const made = await client.post('/tasks', { name: 'Test', steps });
  expect(made.status).toBe(201);
  const started = await client.post(`/tasks/${made.body.data.id}/execute`, {});
  expect(started.status).toBe(202);
  return started.body.data.id as string;
}
