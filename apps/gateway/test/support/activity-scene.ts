import { newId } from '@switchyard/kernel';
import { type Answer, type Client, type Reply, type TestSpace, until } from '@switchyard/testing';

export const dataOf = ({ status, body }: Reply): Answer => {
  if (status >= 300) throw new Error(`refused: ${status} ${JSON.stringify(body)}`);
  return body.data;
};

/** An agent, a task with an agent step, and an application, for the activity of a Space. */
export class ActivityScene {
  private constructor(
    private readonly space: TestSpace,
    readonly agentId: string,
    readonly taskId: string,
    readonly application: Client,
    readonly appIdentifier: string,
  ) {}

  static async prepare(space: TestSpace): Promise<ActivityScene> {
    const { owner } = space;
    const agentId = dataOf(
      await owner.post('/agents', { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.' }),
    ).id;
    const steps = [{ id: 'think', type: 'agent', with: { agentId, inputs: { query: 'Hello' } } }];
    const taskId = dataOf(await owner.post('/tasks', { name: 'With an agent', steps })).id;
    const identifier = `app-${newId().slice(-12)}`;
    const events = [{ name: 'happened', schema: { type: 'object' } }];
    const manifest = { identifier, name: 'App', version: '1.0.0', events };
    const { systemApiKey } = dataOf(await owner.post('/applications', { manifest }));
    return new ActivityScene(space, agentId, taskId, owner.as(`Bearer ${systemApiKey as string}`), identifier);
  }

  /** A turn that has ended. */
  async turn(client: Client): Promise<{ turnId: string; sessionId: string }> {
    const turnId = newId();
    const contents = [{ type: 'text', text: 'Hello' }];
    const body = { stream: false, turnId, contents };
    const reply = await client.post(`/agents/${this.agentId}/chat`, body);
    const data = dataOf(reply);
    return { turnId, sessionId: data.session_id as string };
  }

  /** An execution of the task, begun. */
  async start(): Promise<string> {
    return dataOf(await this.space.owner.post(`/tasks/${this.taskId}/execute`, {})).id as string;
  }

  async execution(): Promise<string> {
    const id = await this.start();
    await until(async () => dataOf(await this.space.owner.get(`/tasks/runs/${id}`)).status === 'SUCCEEDED');
    return id;
  }

  async job(client: Client): Promise<string> {
    const input = { contents: [{ type: 'text', text: 'Hello' }] };
    const { id } = dataOf(await client.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId: this.agentId, input }));
    await until(async () => dataOf(await client.get(`/agent-jobs/${id as string}`)).phase === 'SUCCEEDED');
    return id as string;
  }

  /** An emission that has been dispatched. */
  async emission(): Promise<string> {
    const { appIdentifier } = this;
    const { envelopeId } = dataOf(
      await this.application.post('/events/emit', { appIdentifier, event: 'happened', payload: {} }),
    );
    const { owner } = this.space;
    await until(async () => dataOf(await owner.get(`/events/envelopes/${envelopeId as string}`)).status !== 'PENDING');
    return envelopeId as string;
  }
}
