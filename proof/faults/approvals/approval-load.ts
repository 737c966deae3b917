import type { Client, TestSpace } from '@switchyard/testing';
import { randomBytes } from 'node:crypto';
import { CallerLoad, type CallerOptions } from '../caller-load';
import type { History } from '../history';
import { ApprovalClient, type ApprovalOutcome } from './approval-client';
import { ACT, WRITE, planApproval } from './approval-script';
import type { EffectsServer } from './effects-server';

export interface ApprovalScene {
  space: TestSpace;
  agentId: string;
  datasetId: string;
  /** In the headers of the MCP server, which gives it back with each call. */
  secret: string;
  /** Limited far above what the load needs: what it uses is counted all the same. */
  wide: Client;
  /** Limited to a few calls. */
  narrow: Client;
}

/** Tokens a day of the narrow key. */
export const NARROW_TOKENS = 300;
export const WIDE_TOKENS = 1_000_000_000;

async function made(reply: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await reply;
  if (status !== 201) throw new Error(`not made: ${status} ${JSON.stringify(body)}`);
  return (body as { data: { id: string } }).data.id;
}

export async function setApprovalScene(space: TestSpace, server: EffectsServer): Promise<ApprovalScene> {
  const { owner } = space;
  const secret = `canary-${randomBytes(18).toString('base64')}"/`;
  await made(owner.post('/secrets', { name: 'EFFECTS', value: secret, hosts: [new URL(server.url).hostname] }));
  const fields = [
    { name: 'title', type: 'string' },
    { name: 'amount', type: 'number' },
  ];
  const datasetId = await made(owner.post('/datasets', { name: 'effects', schema: { fields } }));
  const agentId = await made(
    owner.post('/agents', {
      name: 'Chaos',
      model: 'sim-chat',
      systemPrompt: 'You are a test.',
      tools: [WRITE],
      mcpServers: [{ name: 'effects', url: server.url, headers: { Authorization: 'Bearer {{ secrets.EFFECTS }}' } }],
      approvals: [{ tool: ACT }],
    }),
  );
  // One rule of the agent and one of its Space: both must hold through every fault.
  const settings = { approvals: [{ tool: 'write_*', when: { operation: { ne: 'query' } } }] };
  const changed = await owner.patch(`/spaces/${space.id}`, { settings });
  if (changed.status !== 200) throw new Error(`the Space's rules were not taken: ${changed.status}`);
  return {
    space,
    agentId,
    datasetId,
    secret,
    wide: await space.key({
      scopes: ['*', 'approvals:answer'],
      limits: { dailyTokens: WIDE_TOKENS, monthlyTokens: WIDE_TOKENS },
    }),
    narrow: await space.key({ scopes: ['*', 'approvals:answer'], limits: { dailyTokens: NARROW_TOKENS } }),
  };
}

const TURN_PATIENCE_MS = 180_000;
const NARROW_CALLS_AT_ONCE = 5;
/** One caller in so many turns asks with the narrow key as well. */
const NARROW_EVERY = 4;

export interface ApprovalLoadOptions extends CallerOptions {
  turns: number;
}

/** Turns that need approvals, each decided by its user, and calls on a key that has hardly any tokens. */
export class ApprovalLoad extends CallerLoad<ApprovalOutcome, ApprovalLoadOptions> {
  /** Calls of the narrow key by what became of them. */
  readonly narrow: Record<string, number> = {};

  constructor(
    private readonly scene: ApprovalScene,
    history: History,
    seed: number,
    options: ApprovalLoadOptions,
  ) {
    super(history, seed, options.turns, options);
  }

  protected async runCaller(): Promise<void> {
    for (const { index, random } of this.tasks()) {
      const script = planApproval(random, index, this.scene.datasetId);
      const path = {
        client: this.scene.wide,
        agentId: this.scene.agentId,
        giveUpAt: this.giveUpWithin(TURN_PATIENCE_MS),
      };
      const sent = index % NARROW_EVERY === 0 ? this.askNarrow() : undefined;
      const outcome = await new ApprovalClient(path, script).run();
      await sent;
      this.outcomes.push(outcome);
      this.history.note({ approval: outcome });
    }
  }

  private async askNarrow(): Promise<void> {
    const body = {
      model: 'sim-chat',
      max_tokens: 30,
      messages: [{ role: 'user', content: '@@usage 10 10\n@@reply hello' }],
    };
    await Promise.all(
      Array.from({ length: NARROW_CALLS_AT_ONCE }, async () => {
        const reply = await this.scene.narrow
          .raw('POST', '/models/v1/chat/completions', body, { signal: AbortSignal.timeout(20_000) })
          .catch(() => null);
        const code = (reply?.body as { code?: string } | undefined)?.code;
        const became = code ?? String(reply?.status ?? 'no answer');
        this.narrow[became] = (this.narrow[became] ?? 0) + 1;
      }),
    );
  }
}
