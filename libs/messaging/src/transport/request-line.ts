import { randomBytes } from 'node:crypto';
import { ErrorCode, type Msg, type MsgHdrs, NatsError } from 'nats';
import { RECEIPT_HEADER } from './lost-calls';
import { guarded } from './guarded';
import type { NatsLink } from './nats-link';

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
  /** Told who has taken the request, where it asked for that. */
  onTaken?: (server: string) => void;
}

interface Waiting {
  readonly subject: string;
  readonly onTaken: ((server: string) => void) | undefined;
  /** On the clock of the process, which nobody sets. */
  readonly endsAt: number;
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
  private isListening = false;
  private isDeaf = false;
  private timer: NodeJS.Timeout | undefined;
  private random = Buffer.alloc(0);
  private used = 0;

  /** `inbox`: where the answers come, a name that cannot be guessed. */
  constructor(
    private readonly link: NatsLink,
    private readonly inbox: string,
  ) {}

  ask({ subject, payload, headers, deadline, onTaken }: Question): Promise<Msg> {
    return new Promise((resolve, reject) => {
      // What leaves now would take effect, and its answer would find nobody.
      if (this.link.nc.isDraining()) throw NatsError.errorForCode(ErrorCode.ConnectionDraining);
      this.listen();
      if (this.isDeaf && this.isStillDeaf()) throw NatsError.errorForCode(ErrorCode.PermissionsViolation);
      const token = this.token();
      this.link.nc.publish(subject, payload, { reply: `${this.inbox}.${token}`, headers });
      this.waiting.set(token, {
        subject,
        onTaken,
        endsAt: performance.now() + (deadline - Date.now()),
        resolve,
        reject,
      });
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
    this.link.subscriptions.add(`${this.inbox}.*`, {
      // The link tells of a refusal.
      callback: guarded(this.link.options.log, 'an answer', (message) => {
        this.hear(message);
      }),
    });
    this.isListening = true;
    this.link.onRefused((operation, subject) => {
      if (operation === 'publish') this.refuseOne(subject);
      else if (subject === `${this.inbox}.*`) this.goDeaf();
    });
    void this.link.nc.closed().then(() => {
      this.refuseAll(ErrorCode.Timeout);
    });
  }

  private hear(message: Msg): void {
    const token = message.subject.slice(this.inbox.length + 1);
    const waiting = this.waiting.get(token);
    if (!waiting) return;
    if (waiting.onTaken && message.headers?.has(RECEIPT_HEADER)) {
      waiting.onTaken(message.string());
      return;
    }
    this.waiting.delete(token);
    try {
      // Headers are read when they are asked for, and may be no headers at all.
      const isNobodyThere = message.data.byteLength === 0 && message.headers?.code === NO_RESPONDERS;
      if (isNobodyThere) waiting.reject(NatsError.errorForCode(ErrorCode.NoResponders));
      else waiting.resolve(message);
    } catch {
      waiting.reject(NatsError.errorForCode(ErrorCode.BadHeader));
    }
  }

  private look(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const now = performance.now();
    for (const [token, { endsAt, reject }] of this.waiting) {
      if (endsAt > now) continue;
      this.waiting.delete(token);
      reject(NatsError.errorForCode(ErrorCode.Timeout));
    }
  }

  /**
   * NATS names the subject that may not be published, and no request. What was taken before the right was withdrawn is
   * under way: it is the newest that was refused.
   */
  private refuseOne(subject: string): void {
    let newest: string | undefined;
    for (const [token, waiting] of this.waiting) if (waiting.subject === subject) newest = token;
    if (newest === undefined) return;
    const waiting = this.waiting.get(newest);
    this.waiting.delete(newest);
    waiting?.reject(NatsError.errorForCode(ErrorCode.PermissionsViolation));
  }

  /** No answer can come any more, until NATS takes the subscription. */
  private goDeaf(): void {
    this.isDeaf = true;
    this.refuseAll(ErrorCode.PermissionsViolation);
  }

  private isStillDeaf(): boolean {
    this.isDeaf = this.link.subscriptions.isRefused(`${this.inbox}.*`);
    return this.isDeaf;
  }

  private refuseAll(code: ErrorCode): void {
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(NatsError.errorForCode(code));
  }
}
