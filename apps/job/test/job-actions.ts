import { type Answer, type Client, type TestSpace, until } from '@switchyard/testing';

/** Jobs as their tests handle them. */
export class JobActions {
  constructor(
    readonly client: Client,
    readonly agentId: string,
  ) {}

  static async open(space: TestSpace): Promise<JobActions> {
    const agent = await space.owner.post('/agents', {
      name: 'A',
      model: 'sim-chat',
      systemPrompt: 'You help.',
      tools: ['ask_user'],
    });
    if (agent.status !== 201) throw new Error(`no agent: ${JSON.stringify(agent.body)}`);
    return new JobActions(space.owner, agent.body.data.id);
  }

  body(query: string, more: Record<string, unknown> = {}): Record<string, unknown> {
    return { type: 'AGENT_INVOKE', agentId: this.agentId, input: { inputs: { query } }, ...more };
  }

  async submit(query: string, more: Record<string, unknown> = {}): Promise<Answer> {
    const reply = await this.client.post('/agent-jobs', this.body(query, more));
    if (reply.status !== 202) throw new Error(`not accepted: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }

  async read(id: string): Promise<Answer> {
    return (await this.client.get(`/agent-jobs/${id}`)).body.data;
  }

  reaches(id: string, phase: string, timeoutMs = 60_000): Promise<Answer> {
    return until(
      async () => {
        const job = await this.read(id);
        if (job.phase !== phase) throw new Error(`it is ${job.phase}: ${JSON.stringify(job)}`);
        return job;
      },
      { timeoutMs },
    );
  }
}
