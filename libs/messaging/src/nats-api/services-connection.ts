import {
  type ConnectionOptions,
  Events,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Subscription,
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
} from 'nats';
import { sleep } from '@switchyard/kernel';
import type { BusLog } from '../options';
import { coalesceSocketWrites } from '../transport/coalesce-socket-writes';
import { endConnection } from '../transport/end-connection';
import { logConnectFailure, tryToConnect } from '../transport/log-connect-failure';
import { plainHeaders } from '../transport/serialize-headers';

export interface ServicesConnectionOptions {
  url: string;
  /** Shown in the server's monitoring. */
  name: string;
  nkeySeed?: string;
  /** Gives the text of a credentials file, instead of the seed; read for each connection. */
  credentials?: () => string;
  tls?: { caFile?: string; certFile?: string; keyFile?: string };
  log: BusLog;
}

export interface ServiceMessage {
  subject: string;
  data: Uint8Array;
  reply: string | undefined;
  /** By name in lower case, with all values. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** A message of the server to a reply address: the message published with it has no subscriber. */
  hasNoResponders: boolean;
}

export interface OutgoingMessage {
  body?: Uint8Array | string;
  headers?: Readonly<Record<string, string>>;
  reply?: string;
}

interface ActiveSubscription {
  subject: string;
  queue: string | undefined;
  handle: (message: ServiceMessage) => void;
  subscription: Subscription | undefined;
}

export interface ServiceSubscription {
  /** No new messages are taken; those that were are handled. */
  drain(): Promise<void>;
  end(): void;
}

const NO_HEADERS: ReadonlyMap<string, readonly string[]> = new Map();
/** So much of a message may be headers of ours. */
const HEADER_BYTES = 4 * 1024;
const NO_RESPONDERS = 503;
const FIRST_TRY_MS = 500;

function headersOf(headers: MsgHdrs | undefined): ReadonlyMap<string, readonly string[]> {
  if (!headers) return NO_HEADERS;
  const byName = new Map<string, string[]>();
  for (const [name, values] of headers) {
    const lower = name.toLowerCase();
    byName.set(lower, [...(byName.get(lower) ?? []), ...values]);
  }
  return byName;
}

/**
 * The connection to the NATS server of companies' services. It starts without a server and reconnects forever; while it
 * is down, nothing is stored for later.
 */
export class ServicesConnection {
  private connection: NatsConnection | undefined;
  private up = false;
  private closing = false;
  /** Aborts when the connection is up again, or ends. */
  private outage: AbortController | undefined;
  private readonly subscriptions = new Set<ActiveSubscription>();
  private readonly downListeners: (() => void)[] = [];

  constructor(private readonly options: ServicesConnectionOptions) {}

  get isUp(): boolean {
    return this.up;
  }

  /** The largest body that can be published. */
  get maxBody(): number {
    return (this.connection?.info?.max_payload ?? 1024 * 1024) - HEADER_BYTES;
  }

  /** Replies of this moment may be lost. */
  onDown(listener: () => void): void {
    this.downListeners.push(listener);
  }

  start(): void {
    this.open().catch((error: unknown) => {
      this.options.log.error({ err: error }, 'cannot connect to the NATS server of services');
    });
  }

  subscribe(
    subject: string,
    queue: string | undefined,
    handle: (message: ServiceMessage) => void,
  ): ServiceSubscription {
    const active: ActiveSubscription = { subject, queue, handle, subscription: undefined };
    this.subscriptions.add(active);
    this.begin(active);
    return {
      drain: async () => {
        this.subscriptions.delete(active);
        if (this.up) await active.subscription?.drain();
      },
      end: () => {
        this.subscriptions.delete(active);
        active.subscription?.unsubscribe();
      },
    };
  }

  /** False if the connection is down: the message is lost. */
  publish(subject: string, { body, headers, reply }: OutgoingMessage): boolean {
    if (!this.up || !this.connection || this.connection.isClosed()) return false;
    this.connection.publish(subject, body, {
      ...(headers ? { headers: plainHeaders(...Object.entries(headers)) } : {}),
      ...(reply === undefined ? {} : { reply }),
    });
    return true;
  }

  /** Sends what was published, then disconnects. */
  async close(): Promise<void> {
    this.closing = true;
    this.outage?.abort();
    if (this.connection) await endConnection(this.connection, this.up, 3000);
  }

  private async open(): Promise<void> {
    const { log } = this.options;
    this.markDown();
    const connection = await this.firstConnection();
    if (!connection) return;
    if (this.closing) {
      await connection.close();
      return;
    }
    this.connection = connection;
    coalesceSocketWrites(connection);
    this.markUp();
    log.info({}, 'connected to the NATS server of services');
    for (const active of this.subscriptions) this.begin(active);
    void this.watch(connection);
    void connection.closed().then((error) => {
      this.up = false;
      if (!this.closing) log.error({ err: error }, 'the connection to the NATS server of services closed permanently');
    });
  }

  /**
   * Undefined if this ends first. The client cannot be stopped while it waits for its first connection, nor after a first
   * one that failed, so it begins where another connection was accepted.
   */
  private async firstConnection(): Promise<NatsConnection | undefined> {
    const options = connectionOptions(this.options);
    while (!this.closing) {
      if ((await tryToConnect(options)) === null) return connect(options);
      await sleep(FIRST_TRY_MS, this.outage?.signal);
    }
    return undefined;
  }

  private markUp(): void {
    this.up = true;
    this.outage?.abort();
  }

  private markDown(): void {
    this.up = false;
    this.outage?.abort();
    if (this.closing) return;
    this.outage = new AbortController();
    const { log } = this.options;
    void logConnectFailure(
      connectionOptions(this.options),
      { log, server: 'the NATS server of services' },
      this.outage.signal,
    );
  }

  private begin(active: ActiveSubscription): void {
    const { connection } = this;
    if (!connection || connection.isClosed()) return;
    active.subscription = connection.subscribe(active.subject, {
      ...(active.queue === undefined ? {} : { queue: active.queue }),
      callback: (error, message) => {
        if (error === null) this.handle(active, message);
      },
    });
  }

  private handle({ handle }: ActiveSubscription, message: Msg): void {
    const { subject, data, headers, reply } = message;
    handle({
      subject,
      data,
      reply: reply === undefined || reply === '' ? undefined : reply,
      headers: headersOf(headers),
      hasNoResponders: headers?.code === NO_RESPONDERS && data.length === 0,
    });
  }

  private async watch(connection: NatsConnection): Promise<void> {
    const { log } = this.options;
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        this.markDown();
        log.warn({}, 'disconnected from the NATS server of services');
        for (const listener of this.downListeners) listener();
      } else if (status.type === Events.Reconnect) {
        this.markUp();
        log.info({}, 'reconnected to the NATS server of services');
      } else if (status.type === Events.Error) {
        log.error({ error: JSON.stringify(status.data) }, 'the NATS server of services reported an error');
      }
    }
  }
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

function connectionOptions({ url, name, nkeySeed, credentials, tls }: ServicesConnectionOptions): ConnectionOptions {
  const authenticator =
    credentials !== undefined
      ? credsAuthenticator(() => encoded(credentials()))
      : nkeySeed === undefined
        ? undefined
        : nkeyAuthenticator(encoded(nkeySeed));
  return {
    servers: url.split(','),
    name,
    ...(authenticator ? { authenticator } : {}),
    // The client ignores the scheme and would fall back to plain text.
    ...(tls ? { tls } : url.includes('tls://') ? { tls: {} } : {}),
    maxReconnectAttempts: -1,
    // The server may refuse us while its users are reloaded.
    ignoreAuthErrorAbort: true,
    waitOnFirstConnect: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5000,
    maxPingOut: 2,
    timeout: 10_000,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
  };
}
