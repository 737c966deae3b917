import { randomBytes } from 'node:crypto';
import { AppError } from '@switchyard/kernel';
import { Msg, Subscription, nanos } from 'nats';
import { randomInbox } from '../transport/connect-options';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { FRAMES_STREAM } from '../transport/stream-and-consumer-definitions';

export const PART_HEADER = 'Sw-Part';
export const EPOCH_HEADER = 'Sw-Epoch';

/** A whole message of a subject. */
export interface Pulled {
  bytes: Uint8Array;
  /** Lease epoch of its writer. */
  epoch: number;
}
const BATCH = 64;
/** How long the server waits for new messages, and for stored ones. */
const WAIT_MS = 5000;
const STORED_WITHIN_MS = 3000;
/** A server that still has the consumer answers after its wait. */
const ANSWERS_WITHIN_MS = WAIT_MS + 2000;
/** Minimum interval of requests that return nothing. */
const PAUSE_MS = 250;
/** The server removes an inactive consumer after this time. Readers remove theirs; this is for crashed processes. */
const CONSUMER_EXPIRES_MS = 180_000;

/** Reads the messages of a subject in order through a short-lived consumer: no acknowledgements. */
export class FramePuller {
  private subscription: Subscription | undefined;
  private consumer = '';
  /** Reply subject of the last request. */
  private inbox = '';
  private requests = 0;
  private requestedAt = 0;
  /** Messages of the last request that have not arrived. */
  private outstanding = 0;
  /** The server has lost the consumer. */
  private isConsumerMissing = false;
  private pause: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly subject: string,
    private readonly live: boolean,
    private readonly signal: AbortSignal,
  ) {}

  async *messages(): AsyncGenerator<Pulled, void, undefined> {
    if (this.signal.aborted) return;
    const inbox = randomInbox(this.link.options.service);
    const subscription = this.link.nc.subscribe(`${inbox}.*`);
    this.subscription = subscription;
    this.signal.addEventListener('abort', this.leave, { once: true });
    let unseen = await this.create();
    if (unseen === 0 && !this.live) return;
    this.ask(inbox, unseen);
    let receivedAt = Date.now();
    let isSilent = false;
    // A reconnect loses the request, and a restarted server has lost the consumer.
    const watch = setInterval(() => {
      if (Date.now() - receivedAt < ANSWERS_WITHIN_MS || !this.link.isUp) return;
      if (isSilent) {
        this.isConsumerMissing = true;
        subscription.unsubscribe();
        return;
      }
      isSilent = true;
      receivedAt = Date.now();
      this.ask(inbox, unseen);
    }, 1000);
    watch.unref();
    const parts: Uint8Array[] = [];
    let refusals = 0;
    try {
      for await (const message of subscription) {
        receivedAt = Date.now();
        isSilent = false;
        const status = message.headers?.code;
        if (status) {
          // Reply to an earlier request.
          if (message.subject !== this.inbox) continue;
          if (status === 409 || status === 503) throw framesUnavailable();
          refusals += 1;
          // Messages that were counted at the start were removed or lost in transit: a new read finds out which.
          if (!this.live && refusals > 1) throw framesUnavailable();
          this.askInTime(inbox, unseen);
          continue;
        }
        refusals = 0;
        const whole = assemble(message, parts);
        if (whole) {
          // Nothing is requested while the reader is busy: unread messages would be buffered here.
          receivedAt = Infinity;
          yield { bytes: whole, epoch: Number(message.headers?.get(EPOCH_HEADER) || 0) };
          receivedAt = Date.now();
        }
        unseen -= 1;
        this.outstanding -= 1;
        if (!this.live && unseen <= 0) return;
        if (this.outstanding === 0) this.ask(inbox, unseen);
      }
    } finally {
      clearInterval(watch);
      clearTimeout(this.pause);
    }
    if (this.isConsumerMissing) throw framesUnavailable();
  }

  close(): void {
    this.signal.removeEventListener('abort', this.leave);
    this.subscription?.unsubscribe();
    if (this.consumer !== '' && this.link.isUp) {
      this.link.nc.publish(`$JS.API.CONSUMER.DELETE.${FRAMES_STREAM}.${this.consumer}`, '', {
        reply: randomInbox(this.link.options.service),
      });
    }
  }

  private readonly leave = (): void => {
    this.subscription?.unsubscribe();
  };

  /** Creates the consumer; returns its number of pending messages. */
  private async create(): Promise<number> {
    const name = randomBytes(12).toString('base64url');
    const config = {
      name,
      filter_subject: this.subject,
      deliver_policy: 'all',
      ack_policy: 'none',
      replay_policy: 'instant',
      inactive_threshold: nanos(CONSUMER_EXPIRES_MS),
      mem_storage: true,
    };
    const reply = await this.link.nc.request(
      // The filter is in the subject, so that permissions apply to it.
      `$JS.API.CONSUMER.CREATE.${FRAMES_STREAM}.${name}.${this.subject}`,
      JSON.stringify({ stream_name: FRAMES_STREAM, config }),
      { timeout: 5000 },
    );
    const made = reply.json<{ name?: string; num_pending?: number }>();
    if (made.name === undefined) throw framesUnavailable();
    this.consumer = made.name;
    return made.num_pending ?? 0;
  }

  /** A reader of stored frames requests only those, so the last request ends with the last message. */
  private ask(inbox: string, unseen: number): void {
    clearTimeout(this.pause);
    this.requests += 1;
    this.inbox = `${inbox}.${this.requests}`;
    this.outstanding = this.live ? BATCH : Math.min(BATCH, unseen);
    this.requestedAt = Date.now();
    const wish = { batch: this.outstanding, expires: nanos(this.live ? WAIT_MS : STORED_WITHIN_MS) };
    this.link.nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${FRAMES_STREAM}.${this.consumer}`, JSON.stringify(wish), {
      reply: this.inbox,
    });
  }

  private askInTime(inbox: string, unseen: number): void {
    const waitMs = this.requestedAt + PAUSE_MS - Date.now();
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.ask(inbox, unseen), Math.max(0, waitMs));
  }
}

/** The frames may be readable from another process, or later: the log itself is fine. */
export const framesUnavailable = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The frames of this turn cannot be read now. Attach again.', {
    retryAfterSeconds: 1,
  });

/** Reassembles a message that was split. */
function assemble(message: Msg, parts: Uint8Array[]): Uint8Array | null {
  const part = message.headers?.get(PART_HEADER);
  if (!part) return message.data;
  const [index, total] = part.split('/').map(Number);
  if (index === 1) parts.length = 0;
  // Earlier chunks were removed: the rest of the batch is unreadable.
  if (index !== parts.length + 1) return null;
  parts.push(message.data);
  if (index !== total) return null;
  return Buffer.concat(parts.splice(0));
}
