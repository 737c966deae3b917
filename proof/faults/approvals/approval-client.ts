import type { Client, Reply } from '@switchyard/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { GIVEN_UP, isGivenUp } from '../given-up';
import type { ApprovalScript, ApprovedTool } from './approval-script';

interface ShownCall {
  call_id: string;
  name: ApprovedTool;
  digest: string;
}

interface Interaction {
  id: string;
  kind: string;
  calls: ShownCall[];
}

export interface ApprovalOutcome {
  script: ApprovalScript;
  sessionId: string | null;
  interactionId: string | null;
  /** As its user was shown them before deciding. */
  shown: ShownCall[];
  /** As its user learnt it; null when the user gave up. */
  status: string | null;
}

interface ChatTarget {
  client: Client;
  agentId: string;
  giveUpAt: number;
}

const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED', GIVEN_UP]);
const PATIENCE_MS = 20_000;
const PAUSE_MS = 150;

/** Takes one turn to its end: asks until the approval is shown, and decides until the decision has been heard. */
export class ApprovalClient {
  private readonly outcome: ApprovalOutcome;

  constructor(
    private readonly target: ChatTarget,
    private readonly script: ApprovalScript,
  ) {
    this.outcome = { script, sessionId: null, interactionId: null, shown: [], status: null };
  }

  async run(): Promise<ApprovalOutcome> {
    const interaction = await this.ask();
    if (!interaction) return this.outcome;
    this.outcome.interactionId = interaction.id;
    this.outcome.shown = interaction.calls;
    const { decision } = this.script;
    while (decision !== 'leave' && !this.isOver()) {
      if (this.outcome.status === 'WAITING_INPUT')
        await (decision === 'cancel' ? this.cancel() : this.decide(interaction));
      await sleep(PAUSE_MS);
      await this.look();
    }
    return this.outcome;
  }

  private isOver(): boolean {
    return FINAL.has(this.outcome.status ?? '') || Date.now() > this.target.giveUpAt;
  }

  private get path(): string {
    return `/agents/${this.target.agentId}/turns/${this.script.turnId}`;
  }

  /** The same request again until it is answered: it stays one turn. */
  private async ask(): Promise<Interaction | null> {
    const { text, turnId } = this.script;
    const body = { contents: [{ type: 'text', text }], turnId, stream: false };
    while (!this.isOver()) {
      const reply = await this.post(`/agents/${this.target.agentId}/chat`, body);
      const data = (reply?.body as { data?: Record<string, unknown> } | undefined)?.data;
      if (reply?.status === 200 && data) {
        this.outcome.sessionId = data.session_id as string;
        this.outcome.status = data.status as string;
        return (data.interaction as Interaction | null) ?? null;
      }
      await sleep(PAUSE_MS);
      // A turn that failed answers with its error.
      await this.look();
      if (this.outcome.status === null && isGivenUp(reply)) this.outcome.status = GIVEN_UP;
    }
    return null;
  }

  private async decide({ id, kind, calls }: Interaction): Promise<void> {
    const { approved, answers } = this.script;
    const chosen = calls.filter(({ name }) => approved.includes(name)).map(({ call_id }) => call_id);
    const selectedOptionIds = kind === 'single_choice' ? [chosen.length > 0 ? 'approve' : 'deny'] : chosen;
    const body = { sessionId: this.outcome.sessionId, interactionId: id, selectedOptionIds, otherText: null };
    await Promise.all(Array.from({ length: answers }, () => this.listen(`${this.path}/resume`, body)));
  }

  private async cancel(): Promise<void> {
    await this.post(`${this.path}/cancel`, { sessionId: this.outcome.sessionId });
  }

  private async look(): Promise<void> {
    const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
    const reply = await this.target.client.get(this.path, undefined, options).catch(() => null);
    const turn = (reply?.body as { data?: { status?: string } } | undefined)?.data;
    if (reply?.status === 200 && turn?.status !== undefined) this.outcome.status = turn.status;
  }

  private post(path: string, body: object): Promise<Reply | null> {
    return this.target.client.post(path, body, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
  }

  /** To the end of the stream that the answer opens; what breaks it off is seen by looking at the turn. */
  private async listen(path: string, body: object): Promise<void> {
    const options = { headers: STREAM, signal: AbortSignal.timeout(PATIENCE_MS) };
    const reply = await this.target.client.stream(path, body, options).catch(() => null);
    if (reply?.body === undefined) await reply?.all().catch(() => undefined);
  }
}
