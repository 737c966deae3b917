import { Ticks } from '@switchyard/concurrency';
import { randomInbox } from '../transport/connect-options';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { plainHeaders } from '../transport/serialize-headers';
import { TenantByteQuota } from '../transport/tenant-byte-quota';
import { EPOCH_HEADER, PART_HEADER } from './frame-puller';

/** A batch of frames with its owner and the writer's epoch. */
interface Outgoing {
  spaceId: string;
  subject: string;
  messageId: string;
  epoch: number;
  /** Number of the first frame. */
  firstSeq: number;
}

interface Pending extends Outgoing {
  part: string | undefined;
  payload: Uint8Array;
  addedAt: number;
  /** 0: not over the connection that stands now. */
  sentAt: number;
  /** JetStream did not take it, or did not answer in time. */
  isRefused: boolean;
}

const RETRY_AFTER_MS = 3000;
const CHECK_EVERY_MS = 1000;
/** After a connect, JetStream may refuse messages for a moment. */
const RECOVERS_WITHIN_MS = 5000;
/** If JetStream refuses messages for longer, readers do not wait for it. */
const REFUSED_WAIT_MS = 5000;
/** Above this, the oldest messages of the largest Space are dropped: their readers see the gap. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** Most Spaces named in one log line about dropped frames. */
const SPACES_NAMED = 5;

/** Stored overhead of a message besides payload, subject and id: the record and the headers' names. */
const RECORD_BYTES = 75;

/** Stored size of a batch. */
export interface StoredSize {
  bytes: number;
  messages: number;
}

/** Publishes to JetStream without waiting, and retries until acknowledged; the message id prevents duplicates. */
export class FramePublisher {
  private readonly pending = new Map<number, Pending>();
  /** Message ids of each subject, in sending order. */
  private readonly open = new Map<string, Set<number>>();
  private readonly replies: string;
  private readonly bytes: TenantByteQuota;
  /** Message ids of each Space, in sending order. */
  private readonly ofSpaces = new Map<string, Set<number>>();
  private last = 0;
  private givenUp = 0;
  /** Drops since the last log line; null if none. */
  private burst: { messages: number; bytes: number; spaces: Set<string> } | null = null;
  private listening = false;
  private isPaused = false;
  private upAt = 0;
  /** The last message that was answered was refused: others that are under way may be as well. */
  private isRefusing = false;
  /** False: all that is pending has been sent, and JetStream takes it. True for a while after each connect. */
  private mayHaveUnsent = true;
  private readonly checks = new Ticks(CHECK_EVERY_MS, () => {
    this.reportGivenUp();
    this.retry(RETRY_AFTER_MS);
    if (this.mayHaveUnsent) this.lookForUnsent();
    return this.pending.size > 0;
  });
  /** Runs if frames that had not been sent may have been: of one subject, or of any. */
  afterSending: (subject: string | null) => void = () => undefined;
  /**
   * Called after a disconnect, before anything is sent again: other processes may have taken over these subjects, and
   * their messages are dropped here.
   */
  beforeResending: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly link: NatsConnectionManager,
    maxPendingBytes = MAX_PENDING_BYTES,
  ) {
    this.bytes = new TenantByteQuota(maxPendingBytes, 0);
    // Unguessable, so that no other service can forge acknowledgements.
    this.replies = `${randomInbox(link.options.service)}.frames`;
    link.onUp(() => {
      this.upAt = Date.now();
      this.listen();
      void this.resend();
    });
    link.onDown(() => {
      this.mayHaveUnsent = true;
      for (const message of this.pending.values()) message.sentAt = 0;
    });
  }

  get usage(): Record<'used' | 'limit' | 'refused', number> {
    return { used: this.bytes.used, limit: this.bytes.limit, refused: this.givenUp };
  }

  publish(batch: Outgoing, payload: Uint8Array): StoredSize {
    const { spaceId, subject, messageId, epoch, firstSeq } = batch;
    const size = this.link.maxPayload;
    const parts = Math.ceil(payload.byteLength / size) || 1;
    for (let part = 0; part < parts; part += 1) {
      const whole = parts === 1;
      this.add({
        spaceId,
        subject,
        epoch,
        firstSeq,
        messageId: whole ? messageId : `${messageId}.${part}`,
        part: whole ? undefined : `${part + 1}/${parts}`,
        payload: whole ? payload : payload.subarray(part * size, (part + 1) * size),
        addedAt: Date.now(),
        sentAt: 0,
        isRefused: false,
      });
    }
    const bytes = payload.byteLength + parts * (subject.length + messageId.length + RECORD_BYTES);
    return { bytes, messages: parts };
  }

  isPending(subject: string): boolean {
    return this.open.has(subject);
  }

  /**
   * Number of the first frame that NATS may not have got: the line is down, or has just come up, or JetStream refuses
   * frames, and has not confirmed this one yet. A reader that had it would miss what another holder writes under its
   * number.
   */
  firstUnsent(subject: string): number | null {
    if (!this.mayHaveUnsent) return null;
    const now = Date.now();
    for (const message of this.pendingOf(subject)) if (this.isUnsent(message, now)) return message.firstSeq;
    return null;
  }

  /** Where the oldest batch begins that is not acknowledged. */
  firstPending(subject: string): number | null {
    for (const message of this.pendingOf(subject)) return message.firstSeq;
    return null;
  }

  /**
   * Sends the unstored messages of the subject once more, under another epoch. They get new ids: a late reply to the
   * earlier ones does not count, as readers ignore what is stored under a lower epoch than its predecessor.
   */
  reissue(subject: string, epoch: number): void {
    for (const id of [...(this.open.get(subject) ?? [])]) {
      const message = this.pending.get(id);
      if (!message) continue;
      this.settle(id);
      this.add({ ...message, epoch, messageId: `${message.messageId}:${epoch}`, sentAt: 0 });
    }
  }

  /** Discards unstored messages of the subject. */
  drop(subject: string): void {
    for (const id of [...(this.open.get(subject) ?? [])]) this.settle(id);
  }

  stop(): void {
    this.checks.stop();
    this.reportGivenUp();
  }

  private *pendingOf(subject: string): Generator<Pending, void, undefined> {
    for (const id of this.open.get(subject) ?? []) {
      const message = this.pending.get(id);
      if (message) yield message;
    }
  }

  private add(message: Pending): void {
    this.last += 1;
    this.pending.set(this.last, message);
    this.checks.begin();
    const open = this.open.get(message.subject);
    if (open) open.add(this.last);
    else this.open.set(message.subject, new Set([this.last]));
    this.bytes.add(message.spaceId, message.payload.byteLength);
    const ids = this.ofSpaces.get(message.spaceId);
    if (ids) ids.add(this.last);
    else this.ofSpaces.set(message.spaceId, new Set([this.last]));
    this.dropOldest();
    this.send(this.last, message);
  }

  /** While JetStream is unavailable, a Space with many frames costs no other Space a frame. */
  private dropOldest(): void {
    while (this.bytes.used > this.bytes.limit) {
      const spaceId = this.bytes.greediest ?? '';
      const [oldest] = this.ofSpaces.get(spaceId) ?? [];
      if (oldest === undefined) return;
      this.giveUp(oldest);
    }
  }

  private giveUp(id: number): void {
    const message = this.pending.get(id);
    if (!message) return;
    this.givenUp += 1;
    this.burst ??= { messages: 0, bytes: 0, spaces: new Set() };
    this.burst.messages += 1;
    this.burst.bytes += message.payload.byteLength;
    this.burst.spaces.add(message.spaceId);
    this.settle(id);
  }

  /** Thousands may be dropped together: one log line. */
  private reportGivenUp(): void {
    if (!this.burst) return;
    const { messages, bytes, spaces } = this.burst;
    this.burst = null;
    const spaceIds = [...spaces].slice(0, SPACES_NAMED);
    this.link.options.log.error(
      { messages, bytes, spaces: spaces.size, spaceIds },
      'dropped frames that JetStream rejected',
    );
  }

  private async resend(): Promise<void> {
    this.isPaused = true;
    try {
      await this.beforeResending();
    } catch (error) {
      this.link.options.log.warn({ err: error }, 'failed to resend frames; retrying');
      setTimeout(() => void this.resend(), CHECK_EVERY_MS).unref();
      return;
    }
    this.isPaused = false;
    this.retry(0);
  }

  private send(id: number, message: Pending): void {
    if (!this.link.isUp || this.isPaused) return;
    message.sentAt = Date.now();
    const { subject, payload, messageId, epoch, part } = message;
    const headers = plainHeaders(
      ['Nats-Msg-Id', messageId],
      [EPOCH_HEADER, String(epoch)],
      ...(part === undefined ? [] : [[PART_HEADER, part] as const]),
    );
    try {
      this.link.nc.publish(subject, payload, { reply: `${this.replies}.${id}`, headers });
    } catch (error) {
      // The connection may be closing: the message waits for the next attempt.
      this.link.options.log.warn({ err: error, subject: message.subject }, 'failed to send frames');
    }
  }

  private get isRecovering(): boolean {
    return Date.now() - this.upAt <= RECOVERS_WITHIN_MS;
  }

  private isUnsent({ sentAt, isRefused, addedAt }: Pending, now: number): boolean {
    if (sentAt === 0 || this.isRecovering) return true;
    return (isRefused || this.isRefusing) && now - addedAt <= REFUSED_WAIT_MS;
  }

  private noteRefused(message: Pending): void {
    message.isRefused = true;
    this.isRefusing = true;
    this.mayHaveUnsent = true;
  }

  private lookForUnsent(): void {
    const now = Date.now();
    this.mayHaveUnsent =
      this.isRecovering || this.isRefusing || [...this.pending.values()].some((message) => this.isUnsent(message, now));
    this.afterSending(null);
  }

  private retry(olderThanMs: number): void {
    const before = Date.now() - olderThanMs;
    for (const [id, message] of this.pending) {
      if (message.sentAt > before) continue;
      // No reply in time: the stream may be without a leader.
      if (message.sentAt > 0) this.noteRefused(message);
      this.send(id, message);
    }
  }

  private listen(): void {
    if (this.listening) return;
    this.listening = true;
    this.link.subscriptions.add(`${this.replies}.*`, {
      callback: (error, message) => {
        if (error) return;
        const id = Number(message.subject.slice(message.subject.lastIndexOf('.') + 1));
        if (message.data.byteLength > 0 && !message.string().includes('"error"')) {
          this.isRefusing = false;
          this.settle(id);
          return;
        }
        // "No responders" has no body: JetStream is unavailable, and the next attempt follows, soon after a connect.
        const refused = this.pending.get(id);
        if (!refused) return;
        this.noteRefused(refused);
        if (this.isRecovering) refused.sentAt = 0;
      },
    });
  }

  private settle(id: number): void {
    const message = this.pending.get(id);
    if (!message) return;
    this.pending.delete(id);
    this.bytes.remove(message.spaceId, message.payload.byteLength);
    const ids = this.ofSpaces.get(message.spaceId);
    ids?.delete(id);
    if (ids?.size === 0) this.ofSpaces.delete(message.spaceId);
    const open = this.open.get(message.subject);
    open?.delete(id);
    if (open?.size === 0) this.open.delete(message.subject);
    if (this.mayHaveUnsent) this.afterSending(message.subject);
  }
}
