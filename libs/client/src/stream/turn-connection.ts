import { frameIn, isFrame, parseFrame } from '../api/turn-frames';
import { ConnectionError, errorOf, StreamProtocolError, SwitchyardError } from '../http/errors';
import type { Http } from '../http/http';
import { pause, retryPauseMs } from '../http/retry-backoff';
import type { Interaction } from '../records/turn';
import { STREAM_PROTOCOL, STREAM_PROTOCOL_HEADER, type Frame } from './frame';
import { readSse } from './sse';

export interface TurnAddress {
  agentId: string;
  turnId: string;
}

export interface ConnectionOptions {
  signal?: AbortSignal;
  /** The last frame that the reader has. */
  after?: number;
  /** The opening request must not be repeated. */
  once?: boolean;
  /** Told when the connection is lost and when it stands again. */
  onConnection?: (state: ConnectionState) => void;
}

export type ConnectionState = 'reconnecting' | 'connected';

export type OpenStream = (signal: AbortSignal | undefined) => Promise<Response>;

const REATTACH_MS = 60_000;
const SILENCE_MS = 45_000;
/** Time to wait after a pause frame: a replay may continue, a live stream is over. */
const AFTER_PAUSE_MS = 500;

const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/** No response at all, or one that asks to retry later. */
const isTemporary = (error: unknown): boolean =>
  error instanceof SwitchyardError ? RETRYABLE_STATUSES.has(error.status) : error instanceof ConnectionError;

export const streamHeaders: Readonly<Record<string, string>> = {
  accept: 'text/event-stream',
  [STREAM_PROTOCOL_HEADER]: STREAM_PROTOCOL,
};

export const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

/** The question with the answer that counted: an answer came after it. */
export async function earlierAnswer(response: Response): Promise<Interaction | null> {
  const { data } = (await response.json()) as { data?: { idempotent?: boolean; interaction?: Interaction } };
  // An answer by a user who may not read the turn has no stream.
  return data?.idempotent === false ? null : (data?.interaction ?? null);
}

/** The frames of one turn, in order and without gaps, over as many connections as it takes. */
export class TurnConnection {
  private response: Response | undefined;
  private paused = false;
  private disconnect = new AbortController();
  private readonly signal: AbortSignal | undefined;
  /** The last frame that the reader has. */
  lastSeq: number;
  /** Of a stream that was opened by an answer: the question, where another answer had counted before. */
  earlierAnswer: Interaction | null = null;

  constructor(
    private readonly http: Http,
    private readonly address: TurnAddress,
    private readonly openFirst: OpenStream,
    private readonly options: ConnectionOptions,
  ) {
    this.signal = options.signal;
    this.lastSeq = options.after ?? 0;
  }

  /** Resolves when the stream is accepted; rejects with what refused it. */
  async open(): Promise<void> {
    const openFirst = (): Promise<Response> => this.openStream(this.openFirst);
    this.response = await (this.options.once ? openFirst() : this.retryUntilDeadline(openFirst));
  }

  async *frames(): AsyncGenerator<Frame> {
    if (!this.response) throw new Error('the stream is not open');
    let gapAt = -1;
    let { response } = this;
    for (;;) {
      const before = this.lastSeq;
      const outcome = yield* this.read(response);
      if (outcome === 'ended') return;
      if (outcome === 'gap') {
        // The server fills a gap when it is asked for what follows the last good frame. Twice at one place is a fault.
        if (gapAt === this.lastSeq) throw this.protocolError('A frame is missing from the stream');
        gapAt = this.lastSeq;
      }
      this.options.onConnection?.('reconnecting');
      if (this.lastSeq === before) await pause(retryPauseMs(1), this.signal);
      response = await this.retryUntilDeadline(() => this.reattach());
      this.options.onConnection?.('connected');
    }
  }

  /** As if the network had done it: the stream is restored from the last frame that the reader has. */
  break(): void {
    this.disconnect.abort(new ConnectionError('The connection was broken on purpose.'));
  }

  private async *read(response: Response): AsyncGenerator<Frame, 'ended' | 'gap' | 'broken'> {
    if (!response.body) return 'broken';
    const silence = this.http.options.silenceMs ?? SILENCE_MS;
    this.disconnect = new AbortController();
    try {
      const silenceMs = (): number => (this.paused ? AFTER_PAUSE_MS : silence);
      for await (const text of readSse(response.body, silenceMs, this.disconnect.signal)) {
        const frame = parseFrame(text);
        if (!frame) throw this.protocolError('The stream holds something that is no frame of this protocol');
        if (frame.seq <= this.lastSeq) continue;
        if (frame.seq !== this.lastSeq + 1) return 'gap';
        this.lastSeq = frame.seq;
        const content = frameIn(frame);
        const isLast = isFrame(content, 'streamEnded');
        this.paused = isLast && content.data.status === 'WAITING_INPUT';
        yield frame;
        if (isLast && !this.paused) return 'ended';
      }
    } catch (error) {
      if (error instanceof StreamProtocolError || this.signal?.aborted) throw error;
    }
    return this.paused ? 'ended' : 'broken';
  }

  private async reattach(): Promise<Response> {
    if (this.address.turnId === '') throw new ConnectionError('The connection broke before the turn had a name.');
    try {
      return await this.openStream((signal) => this.attach(signal));
    } catch (error) {
      // The request that was to open the turn never arrived.
      const unknown = error instanceof SwitchyardError && error.status === 404 && this.lastSeq === 0;
      if (unknown && !this.options.once) return this.openStream(this.openFirst);
      throw error;
    }
  }

  private attach(signal: AbortSignal | undefined): Promise<Response> {
    const { agentId, turnId } = this.address;
    const headers = { ...streamHeaders, 'last-event-id': String(this.lastSeq) };
    return this.http.send({ method: 'GET', path: `/agents/${agentId}/turns/${turnId}/stream`, headers, signal });
  }

  private async openStream(open: OpenStream): Promise<Response> {
    const response = await open(this.signal);
    if (!response.ok) throw await errorOf(response);
    if (isStream(response)) {
      if (this.address.turnId === '') this.address.turnId = response.headers.get('x-turn-id') ?? '';
      return response;
    }
    // The answer to a question that had its answer: the stream is read like everybody else's.
    this.earlierAnswer = await earlierAnswer(response);
    return this.openStream((signal) => this.attach(signal));
  }

  private async retryUntilDeadline(work: () => Promise<Response>): Promise<Response> {
    const deadline = Date.now() + (this.http.options.reattachMs ?? REATTACH_MS);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (this.signal?.aborted || !isTemporary(error) || Date.now() >= deadline) throw error;
        await pause(Math.min(retryPauseMs(attempt, error), Math.max(0, deadline - Date.now())), this.signal);
      }
    }
  }

  private protocolError(what: string): StreamProtocolError {
    const { turnId } = this.address;
    return new StreamProtocolError(`${what}, after frame ${this.lastSeq} of turn ${turnId}.`, turnId, this.lastSeq);
  }
}
