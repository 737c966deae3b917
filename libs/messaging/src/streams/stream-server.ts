import { Ticks } from '@switchyard/concurrency';
import { AppError, toAppError, waitUntil } from '@switchyard/kernel';
import { StreamContract } from '@switchyard/contracts';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { errorBytes } from '../transport/reply';
import { logHandlerErrors } from '../transport/log-handler-errors';
import { ChunkedPayloads } from '../transport/chunked-payloads';
import { UndeclaredErrors } from '../transport/undeclared-errors';
import { FrameBatch } from './frame-batch';
import { streamInterrupted } from './stream-interrupted-error';
import {
  ALIVE_EVERY_MS,
  Control,
  Entry,
  NO_PAYLOAD,
  SILENCE_LIMIT_MS,
  controlSubject,
  costOf,
} from '../transport/frame-encoding';
import { FrameMultiplexer } from './frame-multiplexer';

interface Served {
  readerSubject: string;
  spaceId: string | null;
  abort: AbortController;
  credit: number;
  receivedAt: number;
  count: number;
  onBegun: () => void;
  wake?: () => void;
}

export interface StreamTarget {
  stream: string;
  readerSubject: string;
  spaceId: string | null;
  /** Called at the first frame, or at the end if there is none. */
  onBegun: () => void;
}

/** Serving side of streams: pulls the handler's generator as fast as the reader's credit allows. */
export class StreamServer {
  private readonly served = new Map<string, Served>();
  private readonly multiplexers = new Map<string, FrameMultiplexer>();
  /** Control subject of this process: it responds as long as the process lives. */
  readonly subject: string;
  private readonly undeclared: UndeclaredErrors;
  private readonly beats = new Ticks(ALIVE_EVERY_MS, () => {
    this.beat();
    return this.served.size > 0;
  });

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly chunkedPayloads: ChunkedPayloads,
  ) {
    this.undeclared = new UndeclaredErrors(link.options);
    this.subject = controlSubject(link.options.service, link.options.instance);
  }

  serve(): void {
    this.link.subscriptions.add(this.subject, {
      callback: logHandlerErrors(this.link.options.log, 'control of a stream', (message) => {
        this.onControl(message.json<Control>());
        // A request here is only a liveness probe.
        if (message.reply) message.respond();
      }),
    });
    // Frames and credits may have been lost. Streams must not continue with a gap, so they end and readers attach
    // again.
    this.link.onDown(() => {
      this.abortAll();
    });
  }

  get open(): number {
    return this.served.size;
  }

  /** Ends every stream; readers get an error and attach to another process. */
  async stop(graceMs: number): Promise<void> {
    this.beats.stop();
    await waitUntil(() => this.served.size === 0, graceMs);
    this.abortAll();
    for (const multiplexer of this.multiplexers.values()) multiplexer.flush();
  }

  /** Notifies readers, which would otherwise only time out. */
  private abortAll(): void {
    const reason = Buffer.from(JSON.stringify(streamInterrupted()));
    for (const [id, stream] of this.served) {
      this.multiplexerOf(stream.readerSubject).add({
        stream: id,
        kind: Entry.error,
        count: stream.count,
        payload: reason,
      });
      stream.abort.abort();
      stream.wake?.();
    }
  }

  /**
   * The reader of a repeat has to know this process, and what runs beside it, before the work begins, which may crash
   * it.
   */
  reportOthers({ stream, readerSubject }: Pick<StreamTarget, 'stream' | 'readerSubject'>, others: number): void {
    const multiplexer = this.multiplexerOf(readerSubject);
    multiplexer.add({ stream, kind: Entry.open, count: 0, payload: Buffer.from(this.subject) });
    multiplexer.add({ stream, kind: Entry.others, count: 0, payload: Buffer.from(String(others)) });
    multiplexer.flush();
  }

  /**
   * Runs one stream. `start` gets a signal that aborts when the reader disconnects. Never rejects: it resolves with the
   * error that the reader got, if any.
   */
  async run(
    contract: StreamContract,
    target: StreamTarget,
    start: (signal: AbortSignal) => Promise<AsyncIterable<unknown>>,
  ): Promise<AppError | null> {
    const stream: Served = {
      readerSubject: target.readerSubject,
      spaceId: target.spaceId,
      abort: new AbortController(),
      credit: contract.window,
      receivedAt: Date.now(),
      count: 0,
      onBegun: target.onBegun,
    };
    this.served.set(target.stream, stream);
    this.beats.begin();
    const multiplexer = this.multiplexerOf(target.readerSubject);
    multiplexer.add({ stream: target.stream, kind: Entry.open, count: 0, payload: Buffer.from(this.subject) });
    try {
      await this.pump(contract, target.stream, stream, multiplexer, await start(stream.abort.signal));
      if (!stream.abort.signal.aborted)
        multiplexer.add({ stream: target.stream, kind: Entry.end, count: stream.count, payload: NO_PAYLOAD });
      return null;
    } catch (error) {
      const shown = toAppError(this.undeclared.checked(contract, error));
      if (shown.code === 'SERVER_ERROR')
        this.link.options.log.error({ err: error, contract: contract.subject }, 'a stream failed');
      multiplexer.add({
        stream: target.stream,
        kind: Entry.error,
        count: stream.count,
        payload: errorBytes(shown),
      });
      return shown;
    } finally {
      this.served.delete(target.stream);
      if (stream.count === 0) stream.onBegun();
    }
  }

  private async pump(
    contract: StreamContract,
    id: string,
    stream: Served,
    multiplexer: FrameMultiplexer,
    frames: AsyncIterable<unknown>,
  ): Promise<void> {
    const iterator = frames[Symbol.asyncIterator]();
    const isCancelled = (): boolean => stream.abort.signal.aborted;
    try {
      for (;;) {
        while (stream.credit <= 0 && !isCancelled()) await this.woken(stream);
        if (isCancelled()) return;
        const next = await this.nextOrCancelled(stream, iterator.next());
        if (next === 'left' || next.done) return;
        const { value } = next;
        for (const frame of value instanceof FrameBatch ? (value.frames as unknown[]) : [value]) {
          while (stream.credit <= 0 && !isCancelled()) await this.woken(stream);
          if (isCancelled()) return;
          this.send(id, stream, multiplexer, this.encode(contract, frame));
        }
      }
    } finally {
      if (isCancelled()) void Promise.resolve(iterator.return?.(undefined)).catch(() => undefined);
      else await iterator.return?.(undefined);
    }
  }

  private send(id: string, stream: Served, multiplexer: FrameMultiplexer, payload: Uint8Array): void {
    const { count } = stream;
    stream.credit -= costOf(payload.byteLength);
    if (count === 0) stream.onBegun();
    stream.count += 1;
    if (payload.byteLength > this.link.maxPayload / 2) {
      const { claim } = this.chunkedPayloads.hold(payload, stream.spaceId);
      multiplexer.add({ stream: id, kind: Entry.claim, count, payload: Buffer.from(claim) });
    } else multiplexer.add({ stream: id, kind: Entry.frame, count, payload });
  }

  private woken(stream: Served): Promise<void> {
    return new Promise((resolve) => {
      stream.wake = resolve;
    });
  }

  /** A busy generator sees the reader leave through its signal; this does not wait for it. */
  private nextOrCancelled(
    stream: Served,
    pulled: Promise<IteratorResult<unknown>>,
  ): Promise<IteratorResult<unknown> | 'left'> {
    return new Promise((resolve, reject) => {
      stream.wake = () => {
        if (stream.abort.signal.aborted) resolve('left');
      };
      pulled.then(resolve, reject);
    });
  }

  private encode(contract: StreamContract, frame: unknown): Uint8Array {
    if (frame instanceof Uint8Array) return frame;
    return Buffer.from(contract.frame === 'text' ? String(frame) : JSON.stringify(frame));
  }

  private multiplexerOf(subject: string): FrameMultiplexer {
    let multiplexer = this.multiplexers.get(subject);
    if (!multiplexer) {
      multiplexer = new FrameMultiplexer(this.link, subject);
      this.multiplexers.set(subject, multiplexer);
    }
    return multiplexer;
  }

  private onControl(control: Control): void {
    const now = Date.now();
    if (control.kind === 'alive') {
      for (const id of control.streams) {
        const stream = this.served.get(id);
        if (stream) stream.receivedAt = now;
      }
      return;
    }
    const stream = this.served.get(control.stream);
    if (!stream) return;
    stream.receivedAt = now;
    if (control.kind === 'credit') stream.credit += control.credit;
    else stream.abort.abort();
    stream.wake?.();
  }

  private beat(): void {
    const now = Date.now();
    const reading = new Set<string>();
    for (const [id, stream] of this.served) {
      if (now - stream.receivedAt > SILENCE_LIMIT_MS) {
        stream.abort.abort();
        stream.wake?.();
      } else {
        reading.add(stream.readerSubject);
        this.multiplexerOf(stream.readerSubject).add({
          stream: id,
          kind: Entry.alive,
          count: stream.count,
          payload: NO_PAYLOAD,
        });
      }
    }
    for (const subject of this.multiplexers.keys()) if (!reading.has(subject)) this.multiplexers.delete(subject);
  }
}
