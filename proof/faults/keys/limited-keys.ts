import type { Client, Reply, TestPlatform, TestSpace } from '@switchyard/testing';
import { newId } from '@switchyard/kernel';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGivenUp } from '../given-up';
import type { History } from '../history';
import type { Work } from '../strike';

/** Requests of a key with few tokens: turns, or jobs that run one. */
export type KeyWork = 'turn' | 'job';

export interface KeyOutcome {
  id: string;
  /** How it ended: a status, or the code of what it was refused with; null when its caller gave up. */
  end: string | null;
}

export interface LimitedScene {
  space: TestSpace;
  agentId: string;
  asks: KeyWork;
  /** Has tokens for some calls. */
  frugal: Client;
  /** Has a few requests a minute. */
  slow: Client;
}

export const FRUGAL_TOKENS = 200;
export const SLOW_REQUESTS = 6;

/** More than the limit lets through at once, and little beside the work that it accompanies. */
const AT_ONCE = 2;
const ROUND_MS = 1000;
const PAUSE_MS = 400;
const PATIENCE_MS = 15_000;
const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'SUCCEEDED', 'TIMED_OUT']);
const PROMPT = '@@usage 10 10\n@@reply hello';

/** A Space of its own, so that the books of the load beside it stay as they are. */
export async function setLimitedScene(platform: TestPlatform, asks: KeyWork): Promise<LimitedScene> {
  const space = await platform.newSpace();
  const agent = { name: 'Frugal', model: 'sim-chat', systemPrompt: 'You are a test.', settings: { max_tokens: 30 } };
  const made = await space.owner.post('/agents', agent);
  if (made.status !== 201) throw new Error(`no agent: ${made.status} ${JSON.stringify(made.body)}`);
  return {
    space,
    agentId: (made.body as { data: { id: string } }).data.id,
    asks,
    frugal: await space.key({ limits: { dailyTokens: FRUGAL_TOKENS } }),
    slow: await space.key({ limits: { requestsPerMinute: SLOW_REQUESTS } }),
  };
}

/** Calls with keys that have limits, beside the work that a run is about, until that is over. */
export class LimitedKeys {
  readonly outcomes: KeyOutcome[] = [];
  /** When the slow key was let in. */
  readonly letIn: number[] = [];
  /** The error instead, by code or status. */
  readonly received: Record<string, number> = {};

  constructor(
    private readonly scene: LimitedScene,
    private readonly history: History,
  ) {}

  /** Work in progress ends after the other work, when faults are no longer injected. */
  async run(work: Work, giveUpAt: number): Promise<void> {
    while (!work.isOver) {
      await Promise.all([...Array.from({ length: AT_ONCE }, () => this.spend(giveUpAt)), this.look(), sleep(ROUND_MS)]);
    }
  }

  private async spend(giveUpAt: number): Promise<void> {
    const id = newId();
    const end = await (this.scene.asks === 'turn' ? this.turn(id, giveUpAt) : this.job(id, giveUpAt));
    this.outcomes.push({ id, end });
    this.history.note({ limited: { id, end } });
  }

  private async turn(turnId: string, giveUpAt: number): Promise<string | null> {
    const { agentId, frugal } = this.scene;
    const body = { contents: [{ type: 'text', text: PROMPT }], turnId, stream: false };
    for (let times = 1; Date.now() < giveUpAt; times += 1) {
      const reply = await attempt(frugal.post(`/agents/${agentId}/chat`, body, patience()));
      const { status = '' } = dataOf(reply);
      if (FINAL.has(String(status))) return String(status);
      // Where an answer was lost, the turn may be there all the same.
      if (reply?.status !== 429 || times > 1) {
        const seen = await attempt(frugal.get(`/agents/${agentId}/turns/${turnId}`, undefined, patience()));
        const { status: now = '' } = dataOf(seen);
        if (FINAL.has(String(now))) return String(now);
        if (reply && (isRefusal(reply) || isGivenUp(reply)) && seen?.status === 404) return codeOf(reply);
      } else return codeOf(reply);
      await sleep(PAUSE_MS);
    }
    return null;
  }

  private async job(name: string, giveUpAt: number): Promise<string | null> {
    const { agentId, frugal } = this.scene;
    const body = { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: PROMPT } } };
    const sent = { ...body, idempotencyKey: name, metadata: { name } };
    let jobId: string | undefined;
    while (Date.now() < giveUpAt) {
      const reply = await attempt(
        jobId === undefined
          ? frugal.post('/agent-jobs', sent, patience())
          : frugal.get(`/agent-jobs/${jobId}`, undefined, patience()),
      );
      if (reply && jobId === undefined && isRefusal(reply)) return codeOf(reply);
      const { id, phase, error } = dataOf(reply) as { id?: string; phase?: string; error?: { code: string } | null };
      jobId ??= id;
      if (FINAL.has(phase ?? '')) return error ? `${String(phase)} ${error.code}` : (phase ?? null);
      await sleep(PAUSE_MS);
    }
    return null;
  }

  private async look(): Promise<void> {
    const at = Date.now();
    const reply = await attempt(this.scene.slow.get('/agents?limit=1', undefined, patience()));
    if (reply?.status === 200) this.letIn.push(at);
    else {
      const received = reply ? codeOf(reply) : 'no answer';
      this.received[received] = (this.received[received] ?? 0) + 1;
    }
  }
}

/** Refusals that say something about the request; what is wrong with the platform passes. */
const isRefusal = ({ status, body }: Reply): boolean =>
  status >= 400 && status < 500 && (body as { code?: string } | undefined)?.code !== 'REQUEST_IN_PROGRESS';
const codeOf = ({ status, body }: Reply): string => (body as { code?: string } | undefined)?.code ?? String(status);
const dataOf = (reply: Reply | null): Record<string, unknown> =>
  (reply?.body as { data?: Record<string, unknown> } | undefined)?.data ?? {};
const patience = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(PATIENCE_MS) });
const attempt = (reply: Promise<Reply>): Promise<Reply | null> => reply.catch(() => null);
