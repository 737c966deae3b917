import { randomBytes } from 'node:crypto';
import { AppError } from '@switchyard/kernel';
import { Msg, MsgHdrs, headers } from 'nats';
import { NatsLink } from './nats-link';

const HEADER = 'Sw-Parts';
const HOLD_MS = 60_000;
/** Over this a payload is refused: nothing that the gateway lets in is larger. */
export const MAX_CARRIED = 16 * 1024 * 1024;

interface Held {
  bytes: Uint8Array;
  timer: NodeJS.Timeout;
}

/**
 * Carries what is too large for one NATS message: the sender keeps the bytes for a minute and sends a claim;
 * the receiver fetches them part by part from exactly that process.
 */
export class Parts {
  private readonly held = new Map<string, Held>();
  private readonly subject: string;

  constructor(private readonly link: NatsLink) {
    this.subject = `part.${link.options.service}.${link.options.instance}`;
  }

  /** Starts answering for what this process holds. */
  serve(): void {
    this.link.nc.subscribe(this.subject, {
      callback: (error, message) => {
        if (!error) this.answer(message);
      },
    });
  }

  private answer(message: Msg): void {
    const [id = '', index = ''] = message.string().split(' ');
    const held = this.held.get(id);
    const size = this.link.maxPayload;
    const start = Number(index) * size;
    message.respond(held ? held.bytes.subarray(start, start + size) : new Uint8Array());
  }

  /** Either the bytes themselves, or a claim on them in a header. */
  pack(bytes: Uint8Array): { payload: Uint8Array; headers?: MsgHdrs } {
    if (bytes.byteLength <= this.link.maxPayload) return { payload: bytes };
    const claim = headers();
    claim.set(HEADER, this.hold(bytes));
    return { payload: new Uint8Array(), headers: claim };
  }

  hold(bytes: Uint8Array): string {
    if (bytes.byteLength > MAX_CARRIED) {
      throw new AppError('PAYLOAD_TOO_LARGE', `The content is larger than ${MAX_CARRIED / 1024 / 1024} MiB.`);
    }
    const id = randomBytes(16).toString('hex');
    const timer = setTimeout(() => this.held.delete(id), HOLD_MS);
    timer.unref();
    this.held.set(id, { bytes, timer });
    return `${this.subject} ${id} ${bytes.byteLength}`;
  }

  async unpack(message: { data: Uint8Array; headers?: MsgHdrs }): Promise<Uint8Array> {
    const claim = message.headers?.get(HEADER);
    return claim ? this.fetch(claim) : message.data;
  }

  async fetch(claim: string): Promise<Uint8Array> {
    const [subject = '', id = '', length = ''] = claim.split(' ');
    const total = Number(length);
    if (!subject.startsWith('part.') || !(total > 0 && total <= MAX_CARRIED)) {
      throw new AppError('VALIDATION_ERROR', 'The message names parts that cannot be fetched.');
    }
    const bytes = new Uint8Array(total);
    let filled = 0;
    for (let index = 0; filled < total; index += 1) {
      const part = await this.link.nc.request(subject, `${id} ${index}`, { timeout: 5000 });
      if (part.data.byteLength === 0)
        throw new AppError('SERVICE_UNAVAILABLE', 'A part of the message is gone. Try again.');
      bytes.set(part.data, filled);
      filled += part.data.byteLength;
    }
    return bytes;
  }
}
