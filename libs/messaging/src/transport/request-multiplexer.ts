import { randomBytes } from 'node:crypto';
import { ErrorCode, type Msg, type MsgHdrs, NatsError } from 'nats';
import { RECEIPT_HEADER } from './interrupted-calls';
import { logHandlerErrors } from './log-handler-errors';
import type { NatsConnectionManager } from './nats-connection-manager';

/** Resolution of time-outs. */
const LOOK_EVERY_MS = 25;
const NO_RESPONDERS = 503;
const TOKEN_BYTES = 9;
const TOKENS_AT_ONCE = 512;

export interface OutgoingRequest {
  subject: string;
  payload: Uint8Array;
  headers?: MsgHdrs;
  deadline: number;
  /** Called with the server that acknowledged the request, if requested, and with what runs beside it: see `Others`. */
  onTaken?: (server: string, others: number) => void;
}

interface PendingReply {
  readonly subject: string;
  readonly onTaken: OutgoingRequest['onTaken'];
  /** On the monotonic clock. */
  readonly endsAt: number;
  readonly resolve: (answer: Msg) => void;
  readonly reject: (error: NatsError) => void;
}

/**
 * Requests of this process, with one reply subscription and one timer for all deadlines. The client's own `request`
 * makes a timer, a race and an error with its stack for each one, which costs more than the message. Fails with a
 * `NatsError` like it.
 */
export class RequestMultiplexer {
  /** Oldest first. */
  private readonly waiting = new Map<string, PendingReply>();
  private isListening = false;
  private isDeaf = false;
  private timer: NodeJS.Timeout | undefined;
  private random = Buffer.alloc(0);
  private used = 0;

  /** `inbox`: unguessable subject for replies. */
  constructor(
    private readonly link: NatsConnectionManager,
    private readonly inbox: string,
  ) {}

  ask({ subject, payload, headers, deadline, onTaken }: OutgoingRequest): Promise<Msg> {
    return new Promise((resolve, reject) => {
      // A request sent while draining would take effect, but its reply would be dropped.
      if (this.link.nc.isDraining()) throw NatsError.errorForCode(ErrorCode.ConnectionDraining);
      this.listen();
      if (this.isDeaf && this.isStillDeaf()) throw NatsError.errorForCode(ErrorCode.PermissionsViolation);
      const token = this.token();
      this.link.nc.publish(subject, payload, { reply: `${this.inbox}.${token}`, headers });
      const endsAt = performance.now() + (deadline - Date.now());
      this.waiting.set(token, { subject, onTaken, endsAt, resolve, reject });
      this.timer ??= setInterval(() => {
        this.rejectExpired();
      }, LOOK_EVERY_MS).unref();
    });
  }

  /** Unguessable: every service that this one calls may publish to its inbox, and could forge replies of others. */
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
      // Permission errors are reported by the connection.
      callback: logHandlerErrors(this.link.options.log, 'an answer', (message) => {
        this.receive(message);
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

  private receive(message: Msg): void {
    const token = message.subject.slice(this.inbox.length + 1);
    const waiting = this.waiting.get(token);
    if (!waiting) return;
    if (waiting.onTaken && message.headers?.has(RECEIPT_HEADER)) {
      waiting.onTaken(message.string(), Number(message.headers.get(RECEIPT_HEADER)));
      return;
    }
    this.waiting.delete(token);
    try {
      // Headers are parsed lazily, and may be absent.
      const isNobodyThere = message.data.byteLength === 0 && message.headers?.code === NO_RESPONDERS;
      if (isNobodyThere) waiting.reject(NatsError.errorForCode(ErrorCode.NoResponders));
      else waiting.resolve(message);
    } catch {
      waiting.reject(NatsError.errorForCode(ErrorCode.BadHeader));
    }
  }

  private rejectExpired(): void {
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
   * NATS names the refused subject, not the request. Older requests were sent before the permission was withdrawn, so
   * the newest one was refused.
   */
  private refuseOne(subject: string): void {
    let newest: string | undefined;
    for (const [token, waiting] of this.waiting) if (waiting.subject === subject) newest = token;
    if (newest === undefined) return;
    const waiting = this.waiting.get(newest);
    this.waiting.delete(newest);
    waiting?.reject(NatsError.errorForCode(ErrorCode.PermissionsViolation));
  }

  /** The reply subscription was refused: no replies until NATS accepts it. */
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
