import { headers } from 'nats';
import { randomInbox } from '../connection/connect-options';
import { NatsLink } from '../connection/nats-link';
import { EPOCH_HEADER, PART_HEADER } from './frame-puller';

interface Pending {
  subject: string;
  messageId: string;
  part: string | undefined;
  epoch: number;
  payload: Uint8Array;
  sentAt: number;
}

const RETRY_AFTER_MS = 3000;
const CHECK_EVERY_MS = 1000;
/** Over this the oldest are given up: their readers are told of the gap. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** What the stream stores of a message beside its payload, its subject and its id: the record and the headers' names. */
const RECORD_BYTES = 75;

/** What a batch of frames takes of the stream. */
export interface StoredSize {
  bytes: number;
  messages: number;
}

/** Publishes to JetStream without waiting, and again until each message is acknowledged; its id keeps it single. */
export class FramePublisher {
  private readonly pending = new Map<number, Pending>();
  private readonly open = new Map<string, number>();
  private readonly replies: string;
  private bytes = 0;
  private last = 0;
  private listening = false;
  private held = false;
  private readonly timer: NodeJS.Timeout;
  /**
   * Asked after a break of the line, before anything is sent again: others may speak for these subjects meanwhile,
   * and what they took over is dropped by then.
   */
  beforeResending: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly link: NatsLink) {
    // Whoever knew it could say that JetStream has stored what it has not.
    this.replies = `${randomInbox(link.options.service)}.frames`;
    this.timer = setInterval(() => {
      this.retry(RETRY_AFTER_MS);
    }, CHECK_EVERY_MS);
    this.timer.unref();
    link.onUp(() => {
      this.listen();
      void this.resend();
    });
  }

  publish(subject: string, messageId: string, epoch: number, payload: Uint8Array): StoredSize {
    const size = this.link.maxPayload;
    const parts = Math.ceil(payload.byteLength / size) || 1;
    for (let part = 0; part < parts; part += 1) {
      const whole = parts === 1;
      this.add({
        subject,
        messageId: whole ? messageId : `${messageId}.${part}`,
        part: whole ? undefined : `${part + 1}/${parts}`,
        epoch,
        payload: whole ? payload : payload.subarray(part * size, (part + 1) * size),
        sentAt: 0,
      });
    }
    const bytes = payload.byteLength + parts * (subject.length + messageId.length + RECORD_BYTES);
    return { bytes, messages: parts };
  }

  isPending(subject: string): boolean {
    return this.open.has(subject);
  }

  /** What is not stored yet never will be. */
  drop(subject: string): void {
    for (const [id, message] of this.pending) if (message.subject === subject) this.settle(id);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private add(message: Pending): void {
    this.last += 1;
    this.pending.set(this.last, message);
    this.open.set(message.subject, (this.open.get(message.subject) ?? 0) + 1);
    this.bytes += message.payload.byteLength;
    for (const [id, oldest] of this.pending) {
      if (this.bytes <= MAX_PENDING_BYTES) break;
      this.link.options.log.error({ subject: oldest.subject }, 'frames were given up, JetStream does not take them');
      this.settle(id);
    }
    this.send(this.last, message);
  }

  private async resend(): Promise<void> {
    this.held = true;
    try {
      await this.beforeResending();
    } catch (error) {
      this.link.options.log.warn({ err: error }, 'frames are not sent again yet');
      setTimeout(() => void this.resend(), CHECK_EVERY_MS).unref();
      return;
    }
    this.held = false;
    this.retry(0);
  }

  private send(id: number, message: Pending): void {
    if (!this.link.isUp || this.held) return;
    message.sentAt = Date.now();
    const head = headers();
    head.set('Nats-Msg-Id', message.messageId);
    head.set(EPOCH_HEADER, String(message.epoch));
    if (message.part !== undefined) head.set(PART_HEADER, message.part);
    this.link.nc.publish(message.subject, message.payload, { reply: `${this.replies}.${id}`, headers: head });
  }

  private retry(olderThanMs: number): void {
    const before = Date.now() - olderThanMs;
    for (const [id, message] of this.pending) if (message.sentAt <= before) this.send(id, message);
  }

  private listen(): void {
    if (this.listening) return;
    this.listening = true;
    this.link.subscriptions.add(`${this.replies}.*`, {
      callback: (error, message) => {
        if (error) return;
        // "No responders" has no body: JetStream was away, and the next try comes by itself.
        if (message.data.byteLength === 0 || message.string().includes('"error"')) return;
        this.settle(Number(message.subject.slice(message.subject.lastIndexOf('.') + 1)));
      },
    });
  }

  private settle(id: number): void {
    const message = this.pending.get(id);
    if (!message) return;
    this.pending.delete(id);
    this.bytes -= message.payload.byteLength;
    const left = (this.open.get(message.subject) ?? 1) - 1;
    if (left === 0) this.open.delete(message.subject);
    else this.open.set(message.subject, left);
  }
}
