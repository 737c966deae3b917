import { randomBytes } from 'node:crypto';
import { AppError } from '@switchyard/kernel';
import { Msg, MsgHdrs, headers } from 'nats';
import { logHandlerErrors } from './log-handler-errors';
import { NatsConnectionManager } from './nats-connection-manager';
import type { RequestMultiplexer } from './request-multiplexer';
import { TenantByteQuota } from './tenant-byte-quota';

const HEADER = 'Sw-Parts';
/** The receiver requests the next chunk at once; after this silence it has failed. */
const SILENCE_MS = 20_000;
const PART_TIMEOUT_MS = 5000;
/** Larger payloads are refused; the gateway accepts none. */
export const MAX_CARRIED = 16 * 1024 * 1024;
const DEFAULT_BUFFER_BYTES = 256 * 1024 * 1024;

interface BufferedPayload {
  bytes: Uint8Array;
  /** Payer of the buffer's quota. */
  payer: string | null;
  /** Time of the last request of a chunk. */
  at: number;
  timer: NodeJS.Timeout;
}

export interface Packed {
  payload: Uint8Array;
  headers?: MsgHdrs;
  /** Frees the buffer: the receiver has replied, or will not fetch it any more. */
  release: () => void;
}

const REFUSALS = {
  limit: 'Too many large messages are under way. Try again shortly.',
  share: 'Too many large messages of your Space are under way. Try again shortly.',
} as const;

const nothing = (): void => undefined;

export const tooLarge = (what: string, bytes?: number): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The ${what} is larger than ${MAX_CARRIED / 1024 / 1024} MiB.`, {
    cause: bytes === undefined ? undefined : `${bytes} bytes`,
  });

/**
 * Transfers payloads over the NATS message limit: the sender buffers them and sends a claim; the receiver fetches them
 * in chunks from that process. Freed with the last chunk, or with the reply to their request.
 */
export class ChunkedPayloads {
  private readonly buffers = new Map<string, BufferedPayload>();
  private readonly subject: string;
  private readonly bytes: TenantByteQuota;
  private refusals = 0;

  constructor(
    private readonly link: NatsConnectionManager,
    private readonly line: RequestMultiplexer,
  ) {
    this.subject = `part.${link.options.service}.${link.options.instance}`;
    this.bytes = new TenantByteQuota(link.options.partsMaxBytes ?? DEFAULT_BUFFER_BYTES, MAX_CARRIED);
  }

  get usage(): { used: number; limit: number; refused: number } {
    return { used: this.bytes.used, limit: this.bytes.limit, refused: this.refusals };
  }

  /** Whether a receiver is still fetching: one that has requested no chunk for a while has failed. */
  get areFetched(): boolean {
    const since = Date.now() - PART_TIMEOUT_MS;
    return [...this.buffers.values()].some(({ at }) => at > since);
  }

  /** Subscribes at start, so that missing permissions are found early. */
  serve(): void {
    this.line.listen();
    this.link.subscriptions.add(this.subject, {
      callback: logHandlerErrors(this.link.options.log, 'part of a message', (message) => {
        this.answer(message);
      }),
    });
  }

  private answer(message: Msg): void {
    const [id = '', index = ''] = message.string().split(' ');
    const buffer = this.buffers.get(id);
    if (!buffer) {
      message.respond(new Uint8Array());
      return;
    }
    const size = this.link.maxPayload;
    const start = Number(index) * size;
    message.respond(buffer.bytes.subarray(start, start + size));
    // Chunks are requested once: a receiver that misses the last one gives up the message.
    if (start + size >= buffer.bytes.byteLength) this.release(id);
    else {
      buffer.at = Date.now();
      buffer.timer.refresh();
    }
  }

  /** Returns the bytes, or a claim on them in a header. `spaceId`: whose quota they use. */
  pack(bytes: Uint8Array, spaceId: string | null): Packed {
    if (bytes.byteLength <= this.link.maxPayload) return { payload: bytes, release: nothing };
    const { id, claim } = this.hold(bytes, spaceId);
    const head = headers();
    head.set(HEADER, claim);
    return {
      payload: new Uint8Array(),
      headers: head,
      release: () => {
        this.release(id);
      },
    };
  }

  hold(bytes: Uint8Array, spaceId: string | null): { id: string; claim: string } {
    const length = bytes.byteLength;
    if (length > MAX_CARRIED) throw tooLarge('content');
    const { payerOf } = this.link.options;
    const payer = spaceId === null || !payerOf ? spaceId : payerOf(spaceId);
    const met = this.bytes.boundMetBy(payer, length);
    if (met) {
      this.refusals += 1;
      throw new AppError('SERVICE_UNAVAILABLE', REFUSALS[met], { retryAfterSeconds: 1 });
    }
    const id = randomBytes(16).toString('hex');
    const timer = setTimeout(() => {
      this.release(id);
    }, SILENCE_MS);
    timer.unref();
    this.buffers.set(id, { bytes, payer, at: Date.now(), timer });
    this.bytes.add(payer, length);
    return { id, claim: `${this.subject} ${id} ${length}` };
  }

  private release(id: string): void {
    const buffer = this.buffers.get(id);
    if (!buffer) return;
    clearTimeout(buffer.timer);
    this.buffers.delete(id);
    this.bytes.remove(buffer.payer, buffer.bytes.byteLength);
  }

  async unpack(message: { data: Uint8Array; headers?: MsgHdrs }, deadline = Infinity): Promise<Uint8Array> {
    const claim = message.headers?.get(HEADER);
    return claim ? this.fetch(claim, deadline) : message.data;
  }

  /** Replies go to an unguessable subject, so that no other service can forge a chunk. */
  async fetch(claim: string, deadline = Infinity): Promise<Uint8Array> {
    const [subject = '', id = '', length = ''] = claim.split(' ');
    const total = Number(length);
    if (!subject.startsWith('part.') || !(total > 0 && total <= MAX_CARRIED)) {
      throw new AppError('VALIDATION_ERROR', 'The message names parts that cannot be fetched.');
    }
    const bytes = new Uint8Array(total);
    let filled = 0;
    for (let index = 0; filled < total; index += 1) {
      const part = await this.line.ask({
        subject,
        payload: Buffer.from(`${id} ${index}`),
        deadline: Math.min(deadline, Date.now() + PART_TIMEOUT_MS),
      });
      if (part.data.byteLength === 0 || filled + part.data.byteLength > total)
        throw new AppError('SERVICE_UNAVAILABLE', 'A part of the message is gone. Try again.');
      bytes.set(part.data, filled);
      filled += part.data.byteLength;
    }
    return bytes;
  }
}
