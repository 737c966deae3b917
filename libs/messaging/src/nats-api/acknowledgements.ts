import { randomBytes } from 'node:crypto';
import { FloodGuard, SILENT_MS } from './flood-guard';
import type { ServiceMessage, ServiceSubscription, ServicesConnection } from './services-connection';
import { acknowledgementSubject } from './subjects';

interface AcknowledgementListener {
  account: string;
  /**
   * A reply to the message with this number, or the server's notice that there is no subscriber. False if it settles
   * nothing: too many of these in a short time end the account's subscription for a while.
   */
  onReply(number: number, message: ServiceMessage): boolean;
}

/** Replies of one account to this process. */
interface AccountReplies {
  /** Addresses that are open. */
  open: number;
  subscription: ServiceSubscription | undefined;
  flood: FloodGuard;
  isSilent: boolean;
  /** Ends the silence, or the subscription of an account without open addresses. */
  timer: NodeJS.Timeout | undefined;
}

const TOKEN_BYTES = 12;
/** A subscription outlives the last open address by so much, so that not each message makes one. */
const UNUSED_MS = 10_000;
const random = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
const ADDRESS = /^([\w-]+)-(\d{1,9})$/;

/**
 * Reply addresses of messages to accounts. Each names this process and the message; replies to others are ignored. This
 * process subscribes for an account while it has open addresses, so an account that floods can be left out alone.
 */
export class Acknowledgements {
  private readonly instance = random();
  private readonly listeners = new Map<string, AcknowledgementListener>();
  private readonly accounts = new Map<string, AccountReplies>();

  constructor(private readonly connection: ServicesConnection) {}

  /** Returns addresses by number, and a function that ends all of them: later acknowledgements have no effect. */
  open(listener: AcknowledgementListener): { addressOf: (number: number) => string; close: () => void } {
    const token = random();
    const { account } = listener;
    this.listeners.set(token, listener);
    const replies = this.repliesOf(account);
    replies.open += 1;
    const prefix = `${acknowledgementSubject(account)}.${this.instance}.${token}`;
    const close = (): void => {
      if (!this.listeners.delete(token)) return;
      replies.open -= 1;
      if (replies.open === 0 && !replies.isSilent) this.endLater(account, replies);
    };
    return { addressOf: (number) => `${prefix}-${number}`, close };
  }

  /** Subscribed before the first message is published: both go over one connection, in order. */
  private repliesOf(account: string): AccountReplies {
    let replies = this.accounts.get(account);
    if (!replies) {
      replies = { open: 0, subscription: undefined, flood: new FloodGuard(), isSilent: false, timer: undefined };
      this.accounts.set(account, replies);
      this.subscribe(account, replies);
    } else if (!replies.isSilent) clearTimeout(replies.timer);
    return replies;
  }

  private subscribe(account: string, replies: AccountReplies): void {
    const subject = `${acknowledgementSubject(account)}.${this.instance}.*`;
    replies.subscription = this.connection.subscribe(subject, undefined, (message) => {
      if (!this.onMessage(account, message) && replies.flood.note(message.data.length)) this.silence(account, replies);
    });
  }

  private endLater(account: string, replies: AccountReplies): void {
    clearTimeout(replies.timer);
    replies.timer = setTimeout(() => {
      replies.subscription?.end();
      this.accounts.delete(account);
    }, UNUSED_MS).unref();
  }

  private silence(account: string, replies: AccountReplies): void {
    clearTimeout(replies.timer);
    replies.isSilent = true;
    replies.subscription?.end();
    replies.timer = setTimeout(() => {
      replies.isSilent = false;
      if (replies.open === 0) this.accounts.delete(account);
      else this.subscribe(account, replies);
    }, SILENT_MS).unref();
  }

  private onMessage(account: string, message: ServiceMessage): boolean {
    const { subject } = message;
    const [, token = '', number] = ADDRESS.exec(subject.slice(subject.lastIndexOf('.') + 1)) ?? [];
    const listener = this.listeners.get(token);
    return listener?.account === account && listener.onReply(Number(number), message);
  }
}
