import { type FrameEnvelope, frameIn, handleFrame } from '@switchyard/contracts';
import type { Client } from '@switchyard/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { GIVEN_UP, isGivenUp } from '../given-up';
import { Transcript } from './transcript';
import type { TurnScript } from './turn-script';

export interface TurnOutcome {
  script: TurnScript;
  sessionId: string | null;
  /** As the client learnt it; null when it gave up. */
  status: string | null;
  frames: FrameEnvelope[];
  problems: string[];
  connections: number;
  /** The log of frames was lost with its server: the client was told, and read the turn instead. */
  isExpired: boolean;
  /** Results that the host gave for its own tool, by call. */
  toolCalls: string[];
  refusal: string | null;
}

const HEADERS = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED', GIVEN_UP]);
const PASSING = new Set([0, 408, 425, 429, 500, 502, 503, 504]);
const SILENCE_MS = 45_000;
const PAUSE_MS = 150;

interface ChatTarget {
  client: Client;
  agentId: string;
  giveUpAt: number;
}

/** Takes one turn to its end as a stubborn client does: a request that fails is sent again. */
export class TurnClient {
  private readonly transcript = new Transcript();
  private readonly toolCalls: string[] = [];
  private readonly errands: Promise<unknown>[] = [];
  private status: string | null = null;
  private connections = 0;
  private isExpired = false;
  private refusal: string | null = null;
  private question: string | null = null;
  private dropped = false;
  private isCancelling = false;

  constructor(
    private readonly target: ChatTarget,
    private readonly script: TurnScript,
    private sessionId: string | null,
  ) {}

  async run(): Promise<TurnOutcome> {
    while (!this.isOver()) {
      const wasAt = this.transcript.last;
      await (this.script.kind === 'whole' ? this.askWhole() : this.connect()).catch(() => undefined);
      if (!this.isOver() && this.transcript.last === wasAt) await sleep(PAUSE_MS);
    }
    await Promise.all(this.errands);
    const { frames, problems } = this.transcript;
    const { script, sessionId, status, connections, isExpired, toolCalls, refusal } = this;
    return { script, sessionId, status, frames, problems, connections, isExpired, toolCalls, refusal };
  }

  private isOver(): boolean {
    return FINAL.has(this.status ?? '') || this.refusal !== null || Date.now() > this.target.giveUpAt;
  }

  private get path(): string {
    return `/agents/${this.target.agentId}/turns/${this.script.turnId}`;
  }

  private get body(): object {
    const { text, turnId } = this.script;
    return {
      contents: [{ type: 'text', text }],
      turnId,
      ...(this.requestedSessionId ? { session_id: this.requestedSessionId } : {}),
    };
  }

  /** The request never changes. */
  private readonly requestedSessionId = this.sessionId;

  private async connect(): Promise<void> {
    const { client } = this.target;
    const abort = new AbortController();
    const silence = setTimeout(() => {
      abort.abort();
    }, SILENCE_MS);
    const options = { headers: HEADERS, signal: abort.signal };
    this.connections += 1;
    const resumes = this.question !== null;
    try {
      const isListed = this.transcript.last > 0;
      // Both ways lead back into a stream: by its position, and by the same request once more.
      const attaches = isListed && !resumes && this.connections % 3 !== 0;
      const reply = resumes
        ? await client.stream(`${this.path}/resume`, this.answer(), options)
        : attaches
          ? await client.stream(`${this.path}/stream?after=${this.transcript.last}`, undefined, options)
          : await client.stream(`/agents/${this.target.agentId}/chat`, this.body, options);
      if (reply.body !== undefined) {
        await this.refused(reply.status, reply.body as { code?: string } | string);
        return;
      }
      for await (const { data } of reply.frames) {
        silence.refresh();
        if (this.transcript.take(data as FrameEnvelope)) this.heard(data as FrameEnvelope);
        if (this.mayDrop()) return;
      }
    } finally {
      clearTimeout(silence);
      abort.abort();
    }
  }

  private mayDrop(): boolean {
    if (this.script.kind !== 'drop' || this.dropped || this.transcript.last < this.script.atFrame) return false;
    this.dropped = true;
    return true;
  }

  private heard(frame: FrameEnvelope): void {
    handleFrame(frameIn(frame), {
      sessionStarted: ({ session_id: sessionId }) => {
        this.sessionId = sessionId;
      },
      localToolCall: ({ call_id: callId }) => {
        this.toolCalls.push(callId);
        this.errands.push(this.giveResult(callId));
      },
      agentInputRequired: ({ interaction }) => {
        this.question = interaction.id;
      },
      streamEnded: ({ status }) => {
        this.status = status;
      },
    });
    if (this.script.kind === 'cancel' && !this.isCancelling && this.transcript.last >= this.script.atFrame) {
      this.isCancelling = true;
      this.errands.push(this.untilTaken(`${this.path}/cancel`, {}));
    }
  }

  private answer(): object {
    return { sessionId: this.sessionId, interactionId: this.question, selectedOptionIds: ['a'] };
  }

  private giveResult(callId: string): Promise<void> {
    return this.untilTaken(`${this.path}/tool-results`, {
      sessionId: this.sessionId,
      callId,
      result: `paid ${this.script.name}`,
    });
  }

  private async untilTaken(path: string, body: object): Promise<void> {
    while (!this.isOver()) {
      const reply = await this.target.client
        .post(path, body, { signal: AbortSignal.timeout(10_000) })
        .catch(() => ({ status: 0 }));
      if (!PASSING.has(reply.status)) return;
      await sleep(PAUSE_MS);
    }
  }

  /** An answer that is no stream: the question was answered already, or something stands in the way. */
  private async refused(status: number, body: { code?: string } | string): Promise<void> {
    const code = typeof body === 'string' ? '' : body.code;
    if (status === 200 || code === 'INTERACTION_NOT_PENDING') {
      this.question = null;
      return;
    }
    if (status === 410) {
      this.isExpired = true;
      await this.readTurn();
      return;
    }
    if (isGivenUp({ status, body })) {
      this.status = GIVEN_UP;
      return;
    }
    // The turn before it in this session has not come to its end yet, or this one never reached the platform.
    if (PASSING.has(status) || code === 'TURN_ALREADY_ACTIVE' || status === 404) {
      await sleep(PAUSE_MS);
      return;
    }
    this.refusal = `${status} ${JSON.stringify(body).slice(0, 200)}`;
  }

  private async readTurn(): Promise<void> {
    const reply = await this.target.client.get(this.path, undefined, { signal: AbortSignal.timeout(10_000) });
    const turn = (reply.body as { data?: { status?: string; sessionId?: string } } | undefined)?.data;
    this.sessionId ??= turn?.sessionId ?? null;
    if (FINAL.has(turn?.status ?? '')) this.status = turn?.status ?? null;
    // The question is not shown any more and will not be answered.
    if (turn?.status === 'WAITING_INPUT') await this.untilTaken(`${this.path}/cancel`, {});
    await sleep(PAUSE_MS);
  }

  private async askWhole(): Promise<void> {
    this.connections += 1;
    const { client, agentId } = this.target;
    const reply = await client.post(
      `/agents/${agentId}/chat`,
      { ...this.body, stream: false },
      { signal: AbortSignal.timeout(SILENCE_MS) },
    );
    if (reply.status !== 200) {
      // A turn that failed says so in the place of its result: its state tells it from a request that failed.
      await this.readTurn().catch(() => undefined);
      if (!this.isOver()) await this.refused(reply.status, reply.body as { code?: string });
      return;
    }
    const { data } = reply.body as { data: { status: string; session_id: string } };
    this.sessionId = data.session_id;
    this.status = data.status;
  }
}
