import type { Client } from '@switchyard/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from '../history';
import { Random } from '../random';
import type { Work } from '../strike';

export interface JobScene {
  client: Client;
  spaceId: string;
  agentId: string;
  callbackUrl: string;
}

export interface JobOutcome {
  name: string;
  /** Ids that were answered for this key: there must be one. */
  ids: string[];
  isCancelled: boolean;
  phase: string | null;
  /** As it was read, in order: it must not go back. */
  progress: number[];
}

export interface JobLoadOptions {
  jobs: number;
  callers: number;
  giveUpAt: number;
}

const FINAL = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
const PATIENCE_MS = 180_000;
const LOOK_MS = 150;

/** Submits jobs, some of them twice, cancels some, and watches each to its end. */
export class JobLoad implements Work {
  readonly outcomes: JobOutcome[] = [];
  private next = 0;

  constructor(
    private readonly scene: JobScene,
    private readonly history: History,
    private readonly seed: number,
    private readonly options: JobLoadOptions,
  ) {}

  get accepted(): number {
    return this.outcomes.length;
  }

  get isOver(): boolean {
    return this.outcomes.length >= this.options.jobs || Date.now() > this.options.giveUpAt;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.callers }, () => this.caller()));
  }

  private async caller(): Promise<void> {
    while (this.next < this.options.jobs && Date.now() < this.options.giveUpAt) {
      const index = this.next;
      this.next += 1;
      const outcome = await this.one(index, new Random(this.seed + index));
      this.outcomes.push(outcome);
      this.history.note({ job: outcome });
    }
  }

  private async one(index: number, random: Random): Promise<JobOutcome> {
    const name = `turn-${index}`;
    const query = `${name}\n@@delay ${random.between(10, 60)}\n@@tokens ${random.between(10, 40)}`;
    const body = {
      type: 'AGENT_INVOKE',
      agentId: this.scene.agentId,
      input: { inputs: { query } },
      idempotencyKey: `job-${index}`,
      callbackUrl: this.scene.callbackUrl,
      metadata: { name },
    };
    const outcome: JobOutcome = { name, ids: [], isCancelled: random.isChance(0.1), phase: null, progress: [] };
    const giveUpAt = Math.min(this.options.giveUpAt, Date.now() + PATIENCE_MS);
    const times = random.isChance(0.2) ? 3 : 1;
    await Promise.all(Array.from({ length: times }, () => this.submit(body, outcome, giveUpAt)));
    const id = outcome.ids[0] ?? '';
    if (outcome.isCancelled) await this.until(() => this.scene.client.post(`/agent-jobs/${id}/cancel`), giveUpAt);
    while (Date.now() < giveUpAt && !FINAL.has(outcome.phase ?? '')) {
      const reply = await this.scene.client.get(`/agent-jobs/${id}`, undefined, patience()).catch(() => null);
      const job = (reply?.body as { data?: { phase: string; progress: number } } | undefined)?.data;
      if (reply?.status === 200 && job) {
        outcome.phase = job.phase;
        outcome.progress.push(job.progress);
      }
      await sleep(LOOK_MS);
    }
    return outcome;
  }

  private async submit(body: object, outcome: JobOutcome, giveUpAt: number): Promise<void> {
    const reply = await this.until(() => this.scene.client.post('/agent-jobs', body, patience()), giveUpAt);
    const { id } = (reply?.body as { data?: { id?: string } } | undefined)?.data ?? {};
    if (id !== undefined) outcome.ids.push(id);
  }

  /** Again until the platform has said something about it. */
  private async until<T extends { status: number; body: unknown }>(
    ask: () => Promise<T>,
    giveUpAt: number,
  ): Promise<T | null> {
    while (Date.now() < giveUpAt) {
      const reply = await ask().catch(() => null);
      const code = (reply?.body as { code?: string } | undefined)?.code;
      if (reply && reply.status < 500 && reply.status !== 429 && code !== 'REQUEST_IN_PROGRESS') return reply;
      await sleep(LOOK_MS);
    }
    return null;
  }
}

const patience = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(5000) });
