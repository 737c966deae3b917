import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Reply, type TestPlatform, until } from '@switchyard/testing';

export const OPERATIONS = ['chat', 'query', 'event to run', 'model call', 'MCP call'] as const;
export type VictimOperation = (typeof OPERATIONS)[number];

/** Milliseconds of each success, and what failed. */
export interface VictimReport {
  took: Record<VictimOperation, number[]>;
  failed: string[];
}

const PAUSE_MS = 150;
const MCP_ACCEPT = { accept: 'application/json, text/event-stream' };

const emptyReport = (): VictimReport => ({
  took: { chat: [], query: [], 'event to run': [], 'model call': [], 'MCP call': [] },
  failed: [],
});

const dataOf = (reply: Reply, status: number): Record<string, string> => {
  if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`);
  return (reply.body as { data: Record<string, string> }).data;
};

/** A Space that does its ordinary work and wants to notice nothing. */
export class Victim {
  private report = emptyReport();
  private isWorking = false;
  private loops: Promise<void>[] = [];

  private constructor(private readonly work: Record<VictimOperation, () => Promise<void>>) {}

  static async prepare(platform: TestPlatform): Promise<Victim> {
    const space = await platform.newSpace();
    const { owner } = space;
    const agent = dataOf(
      await owner.post('/agents', { name: 'Clerk', model: 'sim-chat', systemPrompt: 'You work.' }),
      201,
    )['id'];
    const fields = [
      { name: 'title', type: 'string' },
      { name: 'price', type: 'integer', indexed: true },
    ];
    const dataset = dataOf(await owner.post('/datasets', { name: 'Stock', schema: { fields } }), 201)['id'];
    const records = Array.from({ length: 500 }, (_, price) => ({ title: `Thing ${price}`, price }));
    dataOf(await owner.post(`/datasets/${dataset}/data/insert`, { records }), 200);
    const identifier = `victim-${space.id.slice(-12)}`;
    const manifest = { identifier, name: 'Victim', version: '1.0.0', events: [{ name: 'tick', schema: {} }] };
    const app = owner.as(`Bearer ${dataOf(await owner.post('/applications', { manifest }), 201)['systemApiKey']}`);
    const steps = [{ id: 'note', type: 'transform', with: { n: '{{ execution.inputs.trigger.payload.n }}' } }];
    const task = dataOf(await owner.post('/tasks', { name: 'Note', type: 'EVENT', active: true, steps }), 201)['id'];
    dataOf(await owner.post('/events/subscriptions', { appIdentifier: identifier, event: 'tick', taskId: task }), 201);
    const key = (): Promise<Client> => space.key();
    const [chat, query, runs, model, mcp] = await Promise.all([key(), key(), key(), key(), key()]);
    return new Victim({
      chat: async () => {
        const body = { stream: false, contents: [{ type: 'text', text: 'Good morning' }] };
        const { status } = dataOf(await chat.post(`/agents/${agent}/chat`, body), 200);
        if (status !== 'COMPLETED') throw new Error(`the chat ended as ${status}`);
      },
      query: async () => {
        const filter = { price: { gte: 100, lt: 400 } };
        dataOf(await query.post(`/datasets/${dataset}/data/query`, { filter, limit: 20 }), 200);
      },
      'event to run': async () => {
        const emission = { appIdentifier: identifier, event: 'tick', payload: { n: 1 } };
        const envelope = dataOf(await app.post('/events/emit', emission), 202)['envelopeId'];
        await until(
          async () => {
            const reply = await runs.get(`/tasks/executions?taskId=${task}&limit=5`);
            const all = (reply.body as { data: { status: string; inputs: { trigger?: { id: string } } }[] }).data;
            return all.some(({ status, inputs }) => status === 'SUCCEEDED' && inputs.trigger?.id === envelope);
          },
          { everyMs: 120, timeoutMs: 60_000 },
        );
      },
      'model call': async () => {
        const messages = [{ role: 'user', content: 'Good morning' }];
        const reply = await model.raw('POST', '/models/v1/chat/completions', { model: 'sim-chat', messages });
        if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      },
      'MCP call': async () => {
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
        const reply = await mcp.raw('POST', '/mcp', call, { headers: MCP_ACCEPT });
        if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      },
    });
  }

  start(): void {
    this.report = emptyReport();
    this.isWorking = true;
    this.loops = OPERATIONS.map((operation) => this.loop(operation));
  }

  async stop(): Promise<VictimReport> {
    this.isWorking = false;
    await Promise.all(this.loops);
    return this.report;
  }

  private async loop(operation: VictimOperation): Promise<void> {
    while (this.isWorking) {
      const from = performance.now();
      try {
        await this.work[operation]();
        this.report.took[operation].push(performance.now() - from);
      } catch (error) {
        this.report.failed.push(`${operation}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await sleep(PAUSE_MS);
    }
  }
}
