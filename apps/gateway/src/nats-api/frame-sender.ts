import { AppError } from '@switchyard/kernel';
import type { Acknowledgements, ServiceMessage, ServicesConnection } from '@switchyard/messaging';
import { FrameWindow } from './frame-window';
import type { InjectedAnswer } from './inject-request';
import { answerHeaders } from './message-headers';
import { type SseFrame, SseFrames } from './sse-frames';
import { errorBody } from '../http/error-body';

const PING_MS = 15_000;
const FULL_MS = 30_000;

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
  private readonly ping: NodeJS.Timeout;
  private isStopped = false;
  private wake: (() => void) | undefined;
  private counted = 0;
  private lastFrame: number | null = null;
  private lastAt = Date.now();
  bytes = 0;

  constructor(
    private readonly connection: ServicesConnection,
    acknowledgements: Acknowledgements,
    private readonly answer: InjectedAnswer,
    { account, reply }: { account: string; reply: string },
  ) {
    this.reply = reply;
    this.address = acknowledgements.open({
      account,
      onReply: (number, message) => this.onReply(number, message),
    });
    this.ping = setInterval(() => {
      if (Date.now() - this.lastAt >= PING_MS - 500)
        this.publish('', { 'Switchyard-Ping': 'true' }, this.address.addressOf(0));
    }, PING_MS);
    this.ping.unref();
  }

  /** Resolves when the last message was sent, or nobody listens any more. */
  async run(): Promise<void> {
    let status = 200;
    try {
      for await (const chunk of this.answer.body as AsyncIterable<Uint8Array>) {
        for (const frame of this.frames.push(chunk)) if (!(await this.send(frame))) status = 429;
        if (this.isStopped || status !== 200) break;
      }
    } catch {
      // The answer broke off; so it would over HTTP, and the reader attaches again.
    } finally {
      clearInterval(this.ping);
      this.address.close();
      this.answer.leave();
    }
    if (!this.isStopped) this.end(status);
  }

  /** The connection is lost, or the process ends: frames that follow reach nobody. */
  stop(): void {
    this.isStopped = true;
    this.wake?.();
    this.answer.leave();
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
    const end = Date.now() + FULL_MS;
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
