import { AppError } from '@switchyard/kernel';
import type { Acknowledgements, ServiceMessage, ServicesConnection } from '@switchyard/messaging';
import { FrameWindow } from './frame-window';
import type { InjectedAnswer } from './inject-request';
import { answerHeaders } from './message-headers';
import { type SseFrame, SseFrames } from './sse-frames';
import { errorBody } from '../http/error-body';

export interface FrameTimes {
  /** After so long without a message, one says that the stream goes on. */
  pingMs: number;
  /** A full window waits this long for its reader. */
  fullMs: number;
}

const TIMES: FrameTimes = { pingMs: 15_000, fullMs: 30_000 };

const unread = (): AppError =>
  new AppError('RATE_LIMITED', 'The frames are not confirmed. Attach again behind the last one that was received.', {
    retryAfterSeconds: 1,
  });

/** Sends the frames of one answer as messages, as far ahead as the window allows. */
export class FrameSender {
  private readonly window = new FrameWindow();
  private readonly frames = new SseFrames();
  private readonly reply: string;
  private readonly address: { addressOf: (number: number) => string; close: () => void };
  private ping: NodeJS.Timeout | undefined;
  private isStopped = false;
  private wake: (() => void) | undefined;
  private counted = 0;
  private lastFrame: number | null = null;
  private lastAt = Date.now();
  bytes = 0;
  /** It ended because its reader confirmed nothing. */
  isUnread = false;

  constructor(
    private readonly connection: ServicesConnection,
    acknowledgements: Acknowledgements,
    private readonly answer: InjectedAnswer,
    { account, reply }: { account: string; reply: string },
    private readonly times: FrameTimes = TIMES,
  ) {
    this.reply = reply;
    this.address = acknowledgements.open({
      account,
      onReply: (number, message) => this.onReply(number, message),
    });
    this.pingAfter(times.pingMs);
  }

  /** Resolves when the last message was sent, or there is no listener any more. */
  async run(): Promise<void> {
    let isFull = false;
    try {
      const { body } = this.answer;
      for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
        isFull = !(await this.sendAll(this.frames.push(chunk)));
        if (this.isStopped || isFull) break;
      }
    } catch {
      // The answer broke off; so it would over HTTP, and the reader attaches again.
    } finally {
      clearTimeout(this.ping);
      this.address.close();
      this.answer.leave();
    }
    this.isUnread = isFull && !this.isStopped;
    if (!this.isStopped) this.end(isFull ? 429 : 200);
  }

  /** The connection is lost, or the process ends: frames that follow are dropped. */
  stop(): void {
    this.isStopped = true;
    this.wake?.();
    this.answer.leave();
  }

  private pingAfter(ms: number): void {
    this.ping = setTimeout(() => {
      const remainingMs = this.lastAt + this.times.pingMs - Date.now();
      if (remainingMs <= 0) this.publish('', { 'Switchyard-Ping': 'true' }, this.address.addressOf(0));
      this.pingAfter(remainingMs > 0 ? remainingMs : this.times.pingMs);
    }, ms).unref();
  }

  /** False if the window stayed full: none of the frames after that is sent. */
  private async sendAll(frames: readonly SseFrame[]): Promise<boolean> {
    for (const frame of frames) if (!(await this.send(frame))) return false;
    return true;
  }

  /** False if the window stayed full. */
  private async send({ seq, data }: SseFrame): Promise<boolean> {
    const body = Buffer.from(data);
    if (this.window.isFullFor(body.length) && !(await this.untilFree(body.length))) return this.isStopped;
    if (this.isStopped) return true;
    this.counted += 1;
    const frame = seq ?? this.counted;
    const { number, isPace } = this.window.add(body.length);
    const isTooLarge = body.length > this.connection.maxBody;
    const headers = {
      'Switchyard-Frame': String(frame),
      ...(isPace ? { 'Switchyard-Pace': 'true' } : {}),
      ...(isTooLarge ? { 'Switchyard-Body-Omitted': String(body.length) } : {}),
    };
    this.publish(isTooLarge ? '' : body, headers, this.address.addressOf(number));
    this.bytes += body.length;
    this.lastFrame = frame;
    return true;
  }

  private async untilFree(bytes: number): Promise<boolean> {
    const end = Date.now() + this.times.fullMs;
    while (!this.isStopped && this.window.isFullFor(bytes)) {
      const remainingMs = end - Date.now();
      if (remainingMs <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    return !this.isStopped;
  }

  private onReply(number: number, message: ServiceMessage): boolean {
    if (message.hasNoResponders || message.headers.get('switchyard-stop')?.includes('true')) {
      this.stop();
      return true;
    }
    const isConfirmed = message.data.length === 0 && this.window.confirm(number);
    if (isConfirmed) this.wake?.();
    return isConfirmed;
  }

  private end(status: number): void {
    const isFull = status !== 200;
    const error = isFull ? unread() : undefined;
    const { 'x-request-id': requestId } = this.answer.headers;
    this.publish(error ? JSON.stringify(errorBody(error)) : '', {
      ...answerHeaders({ status, headers: { 'x-request-id': requestId } }, error?.code),
      'Switchyard-End': 'true',
      ...(isFull && this.lastFrame !== null ? { 'Switchyard-Last-Frame': String(this.lastFrame) } : {}),
    });
  }

  private publish(body: Uint8Array | string, headers: Record<string, string>, reply?: string): void {
    this.lastAt = Date.now();
    const isSent = this.connection.publish(this.reply, { body, headers, ...(reply === undefined ? {} : { reply }) });
    if (!isSent) this.stop();
  }
}
