import { TurnFailedError } from '../http/errors';
import type { Http } from '../http/http';
import type { Answer, Interaction, TurnStatus } from '../records/turn';
import type { Frame } from './frame';
import {
  type ConnectionState,
  type OpenStream,
  TurnConnection,
  type TurnAddress,
  streamHeaders,
} from './turn-connection';
import { eventOf, isEvent, type TurnEvent } from './turn-event';
import { TurnSummary } from './turn-summary';

export interface StreamOptions {
  signal?: AbortSignal;
  /** The last frame that is known already. */
  after?: number;
  sessionId?: string | null;
  /** The opening request must not be repeated: it would start the work again. */
  once?: boolean;
  /** Told when the connection is lost and when it stands again. */
  onConnection?: (state: ConnectionState) => void;
}

/**
 * A turn as it happens. Iterate it for product events, or `frames()` for everything; once, either way.
 * A broken connection is restored by itself, and every frame is seen exactly once, in order.
 * Leaving the loop closes the connection and does not stop the turn: `cancel` does.
 */
export class TurnStream implements AsyncIterable<TurnEvent> {
  readonly summary = new TurnSummary();
  private readonly connection: TurnConnection;
  private readonly frameIterator: AsyncGenerator<Frame>;

  private constructor(
    private readonly http: Http,
    private readonly address: TurnAddress,
    begin: OpenStream,
    private readonly options: StreamOptions,
  ) {
    this.summary.sessionId = options.sessionId ?? null;
    this.connection = new TurnConnection(http, address, begin, options);
    this.frameIterator = this.connection.frames();
  }

  /** Resolves when the stream is accepted; rejects with what refused it. */
  static async open(http: Http, address: TurnAddress, begin: OpenStream, options: StreamOptions): Promise<TurnStream> {
    const stream = new TurnStream(http, address, begin, options);
    await stream.connection.open();
    return stream;
  }

  get turnId(): string {
    return this.address.turnId;
  }

  get sessionId(): string | null {
    return this.summary.sessionId;
  }

  /** Keep it, with the turn id, to report a problem or to attach from another process. */
  get lastSeq(): number {
    return this.connection.lastSeq;
  }

  /** Opened by an answer: the question as it was answered before, whose answer counted. Null where this one did. */
  get answeredBefore(): Interaction | null {
    return this.connection.earlierAnswer;
  }

  /** Breaks the connection on purpose, to see it restored. */
  breakConnection(): void {
    this.connection.break();
  }

  /** Every frame, as it travelled. */
  async *frames(): AsyncGenerator<Frame, void> {
    for await (const frame of this.frameIterator) {
      const event = eventOf(frame);
      if (event) this.note(event);
      yield frame;
    }
  }

  private note(event: TurnEvent): void {
    if (this.address.turnId === '' && isEvent(event, 'sessionStarted')) this.address.turnId = event.data.turn_id;
    this.summary.add(event);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent> {
    for await (const frame of this.frames()) {
      const event = eventOf(frame);
      if (event) yield event;
    }
  }

  /** Reads to the end of the stretch: the turn has ended then, or waits for its user. */
  async finished(): Promise<TurnSummary> {
    for await (const _ of this.frames()) continue;
    return this.summary;
  }

  /** The answer's text. Throws TurnFailedError where there is none; a question of the agent is none either. */
  async text(): Promise<string> {
    const { status, error, interaction, text } = await this.finished();
    if (status === 'COMPLETED') return text;
    const code = error?.code ?? (interaction ? 'INTERACTION_PENDING' : status);
    const message =
      error?.message ?? (interaction ? `The agent asks: ${interaction.prompt}` : `The turn is ${status}.`);
    throw new TurnFailedError(code, message, this.turnId, this.lastSeq);
  }

  async cancel(): Promise<{ turn_id: string; status: TurnStatus | 'CANCELLING' }> {
    const { agentId, turnId } = this.address;
    return this.http.data({
      method: 'POST',
      path: `/agents/${agentId}/turns/${turnId}/cancel`,
      body: { sessionId: this.sessionId },
    });
  }

  /** Answers the question that the turn waits with, and goes on with its stream. */
  async answer(answer: Answer): Promise<TurnStream> {
    const { interaction } = this.summary;
    if (!interaction) throw new Error('This turn asks nothing; read its stream until agent.input.required first.');
    const begin = resumeRequest(this.http, this.address, {
      sessionId: interaction.sessionId,
      interactionId: interaction.id,
      selectedOptionIds: answer.selectedOptionIds,
      otherText: answer.otherText ?? null,
    });
    const { signal, onConnection } = this.options;
    const options = { signal, onConnection, after: this.lastSeq, sessionId: interaction.sessionId };
    return TurnStream.open(this.http, this.address, begin, options);
  }

  /** Hands in what the host made of a `local.tool.call`. Run only tools that you have registered for this agent. */
  async submitToolResult(callId: string, outcome: { result?: unknown; error?: string }): Promise<void> {
    const { agentId, turnId } = this.address;
    await this.http.json({
      method: 'POST',
      path: `/agents/${agentId}/turns/${turnId}/tool-results`,
      body: { sessionId: this.sessionId, callId, ...outcomeOf(outcome) },
    });
  }
}

/** Exactly one of the two is sent: a tool that gives nothing gives null. */
export const outcomeOf = ({ result = null, error }: { result?: unknown; error?: string }): object =>
  error === undefined ? { result } : { error };

export interface ResumeBody {
  sessionId: string;
  interactionId: string;
  selectedOptionIds: string[];
  otherText: string | null;
}

export const resumeRequest =
  (http: Http, { agentId, turnId }: TurnAddress, body: ResumeBody): OpenStream =>
  (signal) =>
    http.send({
      method: 'POST',
      path: `/agents/${agentId}/turns/${turnId}/resume`,
      headers: streamHeaders,
      body,
      signal,
    });
