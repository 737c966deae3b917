import { AppError } from '@switchyard/kernel';
import { Msg, Subscription, nanos } from 'nats';
import { randomInbox } from '../connection/connect-options';
import { NatsLink } from '../connection/nats-link';
import { FRAMES_STREAM } from '../durable/topology';

export const PART_HEADER = 'Sw-Part';
export const EPOCH_HEADER = 'Sw-Epoch';

/** One message of a subject, whole. */
export interface Pulled {
  bytes: Uint8Array;
  /** Under which holder it was written. */
  epoch: number;
}
const BATCH = 64;
const WAIT_MS = 5000;

/** Reads the messages of one subject in order through a short-lived consumer: nothing to acknowledge, nothing to clean up. */
export class FramePuller {
  private subscription: Subscription | undefined;
  private consumer = '';

  constructor(
    private readonly link: NatsLink,
    private readonly subject: string,
    private readonly live: boolean,
    private readonly signal: AbortSignal,
  ) {}

  async *messages(): AsyncGenerator<Pulled, void, undefined> {
    if (this.signal.aborted) return;
    const inbox = randomInbox(this.link.options.service);
    const subscription = this.link.nc.subscribe(inbox);
    this.subscription = subscription;
    this.signal.addEventListener('abort', this.leave, { once: true });
    let unseen = await this.create();
    if (unseen === 0 && !this.live) return;
    let asked = this.ask(inbox);
    let heard = Date.now();
    // A reconnect loses the question: ask again when nothing came for longer than the server would wait.
    const watch = setInterval(() => {
      if (Date.now() - heard > WAIT_MS + 2000) asked = this.ask(inbox);
    }, 1000);
    watch.unref();
    const parts: Uint8Array[] = [];
    try {
      for await (const message of subscription) {
        heard = Date.now();
        if (message.headers?.code) {
          if (!this.live && unseen <= 0) return;
          if (message.headers.code === 409) throw gone();
          asked = this.ask(inbox);
          continue;
        }
        const whole = assemble(message, parts);
        if (whole) yield { bytes: whole, epoch: Number(message.headers?.get(EPOCH_HEADER) || 0) };
        unseen -= 1;
        asked -= 1;
        if (!this.live && unseen <= 0) return;
        if (asked === 0) asked = this.ask(inbox);
      }
    } finally {
      clearInterval(watch);
    }
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

  /** Makes the consumer; answers how many messages wait for it. */
  private async create(): Promise<number> {
    const config = {
      filter_subject: this.subject,
      deliver_policy: 'all',
      ack_policy: 'none',
      replay_policy: 'instant',
      inactive_threshold: nanos(30_000),
      mem_storage: true,
    };
    const reply = await this.link.nc.request(
      `$JS.API.CONSUMER.CREATE.${FRAMES_STREAM}`,
      JSON.stringify({ stream_name: FRAMES_STREAM, config }),
      { timeout: 5000 },
    );
    const made = reply.json<{ name?: string; num_pending?: number }>();
    if (made.name === undefined) throw gone();
    this.consumer = made.name;
    return made.num_pending ?? 0;
  }

  private ask(inbox: string): number {
    const wish = this.live ? { batch: BATCH, expires: nanos(WAIT_MS) } : { batch: BATCH, no_wait: true };
    this.link.nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${FRAMES_STREAM}.${this.consumer}`, JSON.stringify(wish), {
      reply: inbox,
    });
    return BATCH;
  }
}

const gone = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The frames of this turn cannot be read now. Attach again.', {
    retryAfterSeconds: 1,
  });

/** Puts a message that was too large for one back together. */
function assemble(message: Msg, parts: Uint8Array[]): Uint8Array | null {
  const part = message.headers?.get(PART_HEADER);
  if (!part) return message.data;
  const [index, total] = part.split('/').map(Number);
  if (index === 1) parts.length = 0;
  // The parts before it were removed: what is left of the batch cannot be read.
  if (index !== parts.length + 1) return null;
  parts.push(message.data);
  if (index !== total) return null;
  return Buffer.concat(parts.splice(0));
}
