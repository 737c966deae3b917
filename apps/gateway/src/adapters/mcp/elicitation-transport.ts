import { randomBytes } from 'node:crypto';
import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ClientMemory } from './sealed-client-capabilities';

const INTRODUCTION = 'introduction';

const idOf = (message: object): unknown => ('id' in message ? message.id : undefined);

/**
 * The transport of one request of a client that may be asked something meanwhile. The server behind it was made for
 * this request, so the client is introduced to it anew; and what it asks gets an id by which the answer is known
 * again, whichever replica hears it.
 */
export class ElicitationTransport implements Transport {
  /** The first part of the id of everything that is asked here. */
  readonly exchangeId = randomBytes(16).toString('base64url');
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  private introduced: (() => void) | undefined;

  constructor(
    private readonly wire: WebStandardStreamableHTTPServerTransport,
    private readonly onAnswered: () => void,
  ) {}

  async start(): Promise<void> {
    this.wire.onmessage = (message, extra) => this.onmessage?.(message, extra);
    this.wire.onclose = () => this.onclose?.();
    this.wire.onerror = (error) => this.onerror?.(error);
    await this.wire.start();
  }

  /** Tells the server what the client has said to some server before. */
  async introduce({ protocolVersion, capabilities }: ClientMemory): Promise<void> {
    const done = new Promise<void>((resolve) => (this.introduced = resolve));
    const params = { protocolVersion, capabilities, clientInfo: { name: 'client', version: '0' } };
    this.onmessage?.({ jsonrpc: '2.0', id: INTRODUCTION, method: 'initialize', params });
    await done;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.introduced && idOf(message) === INTRODUCTION) {
      this.introduced();
      this.introduced = undefined;
      return;
    }
    if (!('method' in message)) {
      await this.wire.send(message, options);
      this.onAnswered();
      return;
    }
    await this.wire.send('id' in message ? { ...message, id: `${this.exchangeId}.${message.id}` } : message, options);
  }

  /** An answer of the client to what was asked here. */
  deliver(message: JSONRPCMessage): void {
    const request = String(idOf(message)).slice(this.exchangeId.length + 1);
    this.onmessage?.({ ...message, id: /^\d+$/.test(request) ? Number(request) : request });
  }

  close(): Promise<void> {
    return this.wire.close();
  }
}

/** The exchange that an answer is for; null for what answers nothing of ours. */
export function exchangeOf(message: object): string | null {
  const [exchangeId = '', request] = String(idOf(message)).split('.', 2);
  return request === undefined || exchangeId === '' ? null : exchangeId;
}
