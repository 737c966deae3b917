import { Client, type ClientConfig } from 'pg';
import type { EventEmitter } from 'node:events';

export type Done = (error?: Error) => void;

const WRONG_PASSWORD = '28P01';

/**
 * The second password of a login: while it is rotated, Postgres accepts one of two. Kept in a private field, so that no
 * log or report of an object contains it.
 */
export class SecondPassword {
  readonly #value: string;
  private isFirst = false;

  constructor(
    value: string,
    private readonly onChange: () => void = () => undefined,
  ) {
    this.#value = value;
  }

  /** The password that Postgres accepted last comes first. */
  inOrder(own: string | null): [string | null, string | null] {
    return this.isFirst ? [this.#value, own] : [own, this.#value];
  }

  noteAccepted(password: string | null): void {
    const isSecond = password === this.#value;
    if (isSecond === this.isFirst) return;
    this.isFirst = isSecond;
    this.onChange();
  }
}

export const secondPasswordOf = (value: string | undefined, onChange?: () => void): SecondPassword | null =>
  value ? new SecondPassword(value, onChange) : null;

/** Private fields of pg. */
interface ClientInternals {
  password: string | null;
  connection: EventEmitter & { stream: { destroy(): void } };
  _connecting: boolean;
  _connectionError: boolean;
  _ending: boolean;
}

/** For a client's `connect`, which takes a callback from the pool and returns a promise to other callers. */
export function connecting<T>(client: T, connect: (done: Done) => void, callback: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    connect((error) => {
      (callback as Done | undefined)?.(error);
      if (error && callback === undefined) reject(error);
      else resolve(client);
    });
  });
}

/** A pg client that tries the other password if Postgres refuses one. */
export function loginClient(second: SecondPassword | null): typeof Client {
  if (second === null) return Client;
  return class LoginClient extends Client {
    readonly #config: ClientConfig | undefined;

    constructor(config?: ClientConfig) {
      super(config);
      this.#config = config;
    }

    override connect(): Promise<this>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
    override connect(callback?: unknown): Promise<this> {
      return connecting(this, (done) => this.logIn(done), callback);
    }

    private get inner(): ClientInternals {
      return this as unknown as ClientInternals;
    }

    private logIn(done: Done): void {
      const [first, other] = second.inOrder(this.inner.password);
      this.tryWith(first, (error) => {
        if ((error as { code?: string } | undefined)?.code !== WRONG_PASSWORD || this.inner._ending) {
          done(error);
          return;
        }
        this.beginAgain();
        this.tryWith(other, done);
      });
    }

    private tryWith(password: string | null, done: Done): void {
      this.inner.password = password;
      super.connect((error?: Error | null) => {
        if (!error) second.noteAccepted(password);
        done(error ?? undefined);
      });
    }

    /** Postgres closes a connection that it refuses, and pg has no way to open another one for the same client. */
    private beginAgain(): void {
      const { connection: refused } = this.inner;
      refused.removeAllListeners();
      refused.on('error', () => undefined);
      refused.stream.destroy();
      this.inner.connection = (new Client(this.#config) as unknown as ClientInternals).connection;
      this.inner._connecting = false;
      this.inner._connectionError = false;
      this.emit('newConnection');
    }
  };
}
