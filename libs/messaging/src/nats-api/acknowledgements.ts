import { randomBytes } from 'node:crypto';
import type { ServiceMessage, ServicesConnection } from './services-connection';
import { acknowledgementSubject } from './subjects';

interface AcknowledgementListener {
  account: string;
  /** A reply to the message with this number, or the server's notice that there is no subscriber. */
  onReply(number: number, message: ServiceMessage): void;
}

const TOKEN_BYTES = 12;
const random = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const ADDRESS = /^([\w-]+)-(\d{1,9})$/;

/** Reply addresses of messages to accounts. Each names this process and the message; replies to others are ignored. */
export class Acknowledgements {
  private readonly instance = random();
  private readonly listeners = new Map<string, AcknowledgementListener>();

  constructor(private readonly connection: ServicesConnection) {}

  listen(): void {
    this.connection.subscribe(`${acknowledgementSubject('*')}.${this.instance}.*`, undefined, (message) => {
      this.onMessage(message);
    });
  }

  /** Returns addresses by number, and a function that ends all of them: what comes later has no effect. */
  open(listener: AcknowledgementListener): { addressOf: (number: number) => string; close: () => void } {
    const token = random();
    this.listeners.set(token, listener);
    const prefix = `${acknowledgementSubject(listener.account)}.${this.instance}.${token}`;
    return { addressOf: (number) => `${prefix}-${number}`, close: () => this.listeners.delete(token) };
  }

  private onMessage(message: ServiceMessage): void {
    const [account, , address = ''] = message.subject.split('.').slice(2);
    const [, token = '', number] = ADDRESS.exec(address) ?? [];
    const listener = this.listeners.get(token);
    if (listener && listener.account === account) listener.onReply(Number(number), message);
  }
}
