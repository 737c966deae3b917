import { type Answer, type Client, until } from '@switchyard/testing';

export interface Step {
  id: string;
  type: string;
  with: Record<string, unknown>;
  if?: string;
  retry?: { maxAttempts?: number; backoffSeconds?: number };
  continueOnError?: boolean;
}

/** Tasks as their tests handle them. */
export class TaskActions {
  constructor(readonly client: Client) {}

  async create(body: { steps: Step[] } & Record<string, unknown>): Promise<Answer> {
    const reply = await this.client.post('/tasks', { name: 'Test', ...body });
    if (reply.status !== 201) throw new Error(`not created: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }

  async start(taskId: string, inputs?: Record<string, unknown>): Promise<string> {
    const reply = await this.client.post(`/tasks/${taskId}/execute`, { inputs });
    if (reply.status !== 202) throw new Error(`not started: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data.id;
  }

  async read(executionId: string): Promise<Answer> {
    const reply = await this.client.get(`/tasks/executions/${executionId}`);
    if (reply.status !== 200) throw new Error(`not read: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }

  /** The execution once it is in this status. */
  reaches(executionId: string, status: string, timeoutMs = 60_000): Promise<Answer> {
    return until(
      async () => {
        const execution = await this.read(executionId);
        if (execution.status !== status)
          throw new Error(`it is ${execution.status}: ${JSON.stringify(execution).slice(0, 2000)}`);
        return execution;
      },
      { timeoutMs },
    );
  }

  /** Creates a task of these steps, runs it, and answers with the ended execution. */
  async run(
    steps: Step[],
    options: { inputs?: Record<string, unknown>; status?: string; task?: Record<string, unknown> } = {},
  ): Promise<Answer> {
    const task = await this.create({ steps, ...options.task });
    return this.reaches(await this.start(task.id, options.inputs), options.status ?? 'SUCCEEDED');
  }
}

export const stepOf = (execution: Answer, id: string): Answer => execution.steps.find((step: Answer) => step.id === id);

export const transform = (id: string, value: Record<string, unknown>): Step => ({ id, type: 'transform', with: value });
export const wait = (id: string, seconds: number): Step => ({ id, type: 'wait', with: { seconds } });
