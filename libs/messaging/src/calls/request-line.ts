import { randomBytes } from 'node:crypto';
import { ErrorCode, type Msg, type MsgHdrs, NatsError } from 'nats';
import { inboxPrefix } from '../connection/connect-options';
import type { NatsLink } from '../connection/nats-link';

/** So much later than its deadline, at most, a request ends that nobody answered. */
const LOOK_EVERY_MS = 25;
const NO_RESPONDERS = 503;
const TOKEN_BYTES = 9;
const TOKENS_AT_ONCE = 512;

export interface Question {
  subject: string;
  payload: Uint8Array;
  headers?: MsgHdrs;
  /** Milliseconds since the epoch. */
  deadline: number;
}

interface Waiting {
  readonly subject: string;
  readonly deadline: number;
  readonly resolve: (answer: Msg) => void;
  readonly reject: (error: NatsError) => void;
}

/**
 * The requests of this process: their answers come on one subscription, and one timer looks after their deadlines. The
 * client's own way makes a timer, a race and an error with its stack for each, answered or not, which costs more than
 * the message. It fails as that one does: with a `NatsError`.
 */
export class RequestLine {
  /** The oldest first. */
  private readonly waiting = new Map<string, Waiting>();
  private readonly inbox: string;
  private isListening = false;
  private isDeaf = false;
  private timer: NodeJS.Timeout | undefined;
  private random = Buffer.alloc(0);
  private used = 0;

  constructor(private readonly link: NatsLink) {
    this.inbox = `${inboxPrefix(link.options.service)}.${randomBytes(12).toString('base64url')}.`;
  }

  ask({ subject, payload, headers, deadline }: Question): Promise<Msg> {
    return new Promise((resolve, reject) => {
      this.listen();
      if (this.isDeaf && this.isStillDeaf()) throw NatsError.errorForCode(ErrorCode.PermissionsViolation);
      const token = this.token();
      this.link.nc.publish(subject, payload, { reply: this.inbox + token, headers });
      this.waiting.set(token, { subject, deadline, resolve, reject });
      this.timer ??= setInterval(() => {
        this.look();
      }, LOOK_EVERY_MS).unref();
    });
  }

  /** Not to be guessed: whoever is asked by this service may speak to its inbox, and could answer for another. */
  private token(): string {
    if (this.used >= this.random.byteLength) {
      this.random = randomBytes(TOKEN_BYTES * TOKENS_AT_ONCE);
      this.used = 0;
    }
    this.used += TOKEN_BYTES;
    return this.random.toString('base64url', this.used - TOKEN_BYTES, this.used);
  }

  listen(): void {
    if (this.isListening) return;
    this.link.subscriptions.add(`${this.inbox}*`, {
      callback: (refusal, message) => {
        // The link tells of a refusal.
        if (!refusal) this.hear(message);
      },
    });
    this.isListening = true;
    this.link.onRefused((operation, subject) => {
      if (operation === 'publish') this.refuseOne(subject);
      else if (subject === `${this.inbox}*`) this.goDeaf();
    });
    void this.link.nc.closed().then(() => {
      this.refuseAll(ErrorCode.Timeout);
    });
  }

  private hear(message: Msg): void {
    const token = message.subject.slice(this.inbox.length);
    const waiting = this.waiting.get(token);
    if (!waiting) return;
    this.waiting.delete(token);
    if (message.data.byteLength === 0 && message.headers?.code === NO_RESPONDERS)
      waiting.reject(NatsError.errorForCode(ErrorCode.NoResponders));
    else waiting.resolve(message);
  }

  private look(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const now = Date.now();
    for (const [token, { deadline, reject }] of this.waiting) {
      if (deadline > now) continue;
      this.waiting.delete(token);
      reject(NatsError.errorForCode(ErrorCode.Timeout));
    }
  }

  /** NATS names the subject that may not be published, and no request. */
  private refuseOne(subject: string): void {
    for (const [token, waiting] of this.waiting) {
      if (waiting.subject !== subject) continue;
      this.waiting.delete(token);
      waiting.reject(NatsError.errorForCode(ErrorCode.PermissionsViolation));
      return;
    }
  }

  /** No answer can come any more, until NATS takes the subscription. */
  private goDeaf(): void {
    this.isDeaf = true;
    this.refuseAll(ErrorCode.PermissionsViolation);
  }

  private isStillDeaf(): boolean {
    this.isDeaf = this.link.subscriptions.isRefused(`${this.inbox}*`);
    return this.isDeaf;
  }

  private refuseAll(code: ErrorCode): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(NatsError.errorForCode(code));
  }
}
