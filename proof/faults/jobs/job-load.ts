import type { Client } from '@switchyard/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallerLoad, type CallerOptions } from '../caller-load';
import type { History } from '../history';
import type { Random } from '../random';

export interface JobScene {
  client: Client;
  spaceId: string;
  agentId: string;
  callbackUrl: string;
}

interface JobRead {
  phase: string;
  progress: number;
  turnId: string | null;
  interaction: { id: string } | null;
}

export interface JobOutcome {
  name: string;
  /** Ids that were answered for this key: there must be one. */
  ids: string[];
  isCancelled: boolean;
  phase: string | null;
  /** As it was read, in order: it must not go back. */
  progress: number[];
  /** The questions that it was read with, in order, and null where it had none: none comes back. */
  questions: (string | null)[];
}

export interface JobLoadOptions extends CallerOptions {
  jobs: number;
  /** How many of them ask their submitter something, and go on for a while with the answer. */
  asking: number;
}

const QUESTION = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };

const FINAL = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const PATIENCE_MS = 180_000;
const LOOK_MS = 150;

/** Submits jobs, some of them twice, cancels some, and watches each to its end. */
export class JobLoad extends CallerLoad<JobOutcome, JobLoadOptions> {
  constructor(
    private readonly scene: JobScene,
    history: History,
    seed: number,
    options: JobLoadOptions,
  ) {
    super(history, seed, options.jobs, options);
  }

  protected async runCaller(): Promise<void> {
    for (const { index, random } of this.tasks()) {
      const outcome = await this.one(index, random);
      this.outcomes.push(outcome);
      this.history.note({ job: outcome });
    }
  }

  private async one(index: number, random: Random): Promise<JobOutcome> {
    const name = `turn-${index}`;
    const text = `@@delay ${random.between(10, 60)}\n@@tokens ${random.between(10, 40)}`;
    const asks = random.isChance(this.options.asking);
    const giveUpAt = this.giveUpWithin(PATIENCE_MS);
    const sessionId = asks ? await this.openSession(giveUpAt) : undefined;
    const lines = asks ? `@@tool ask_user ${JSON.stringify(QUESTION)}\n@@delay 200\n@@tokens 50` : text;
    const body = {
      type: 'AGENT_INVOKE',
      agentId: this.scene.agentId,
      input: { inputs: { query: `${name}\n${lines}` }, session_id: sessionId },
      idempotencyKey: `job-${index}`,
      callbackUrl: this.scene.callbackUrl,
      metadata: { name },
    };
    const isCancelled = random.isChance(0.1);
    const outcome: JobOutcome = { name, ids: [], isCancelled, phase: null, progress: [], questions: [] };
    const times = random.isChance(0.2) ? 3 : 1;
    await Promise.all(Array.from({ length: times }, () => this.submit(body, outcome, giveUpAt)));
    const id = outcome.ids[0] ?? '';
    if (outcome.isCancelled) await this.until(() => this.scene.client.post(`/agent-jobs/${id}/cancel`), giveUpAt);
    while (Date.now() < giveUpAt && !FINAL.has(outcome.phase ?? '')) {
      const reply = await this.scene.client.get(`/agent-jobs/${id}`, undefined, patience()).catch(() => null);
      const job = (reply?.body as { data?: JobRead } | undefined)?.data;
      if (reply?.status === 200 && job) {
        outcome.phase = job.phase;
        outcome.progress.push(job.progress);
        const question = job.interaction?.id ?? null;
        if (outcome.questions.at(-1) !== question) outcome.questions.push(question);
        if (question !== null && sessionId !== undefined) await this.answer(job, question, sessionId);
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

  private async openSession(giveUpAt: number): Promise<string> {
    const { client, agentId } = this.scene;
    const reply = await this.until(() => client.post('/agents/sessions', { agentId }, patience()), giveUpAt);
    return (reply?.body as { data?: { id?: string } } | undefined)?.data?.id ?? '';
  }

  /** Says it, and does not stay to listen; until it has arrived, the job goes on asking. */
  private async answer({ turnId }: JobRead, interactionId: string, sessionId: string): Promise<void> {
    const abort = new AbortController();
    const late = setTimeout(() => {
      abort.abort();
    }, 5000);
    const body = { sessionId, interactionId, selectedOptionIds: ['a'], otherText: null };
    const options = { headers: STREAM, signal: abort.signal };
    try {
      await this.scene.client.stream(`/agents/${this.scene.agentId}/turns/${String(turnId)}/resume`, body, options);
    } catch {
      // No answer: it is asked again.
    } finally {
      clearTimeout(late);
      abort.abort();
    }
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
