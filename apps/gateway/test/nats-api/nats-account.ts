import { randomBytes } from 'node:crypto';
import { type Answer, type Client, type TestPlatform, type TestSpace, until } from '@switchyard/testing';
import { type Msg, type NatsConnection, connect, createInbox, headers as newHeaders, nkeyAuthenticator } from 'nats';

export interface NatsAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Answer;
}

export interface SentHeaders {
  [name: string]: string | readonly string[];
}

const natsHeaders = (given: SentHeaders): ReturnType<typeof newHeaders> => {
  const all = newHeaders();
  for (const [name, values] of Object.entries(given))
    for (const value of typeof values === 'string' ? [values] : values) all.append(name, value);
  return all;
};

const parsed = (text: string): Answer => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const answerOf = (message: Msg): NatsAnswer => {
  const text = message.string();
  const headers = Object.fromEntries([...(message.headers ?? [])].map(([name, values]) => [name, values[0] ?? '']));
  return { status: Number(headers['Switchyard-Status']), headers, text, body: parsed(text) };
};

/** A service of a company: an account, and a connection as its user. */
export class NatsAccount {
  constructor(
    readonly id: string,
    readonly seed: string,
    readonly nats: NatsConnection,
  ) {}

  subject(operation: string): string {
    return `switchyard.v1.${this.id}.${operation}`;
  }

  readonly natsHeaders = natsHeaders;

  inbox(): string {
    return createInbox(`_INBOX.${this.id}`);
  }

  async request(operation: string, body?: unknown, headers: SentHeaders = {}, timeout = 20_000): Promise<NatsAnswer> {
    const payload = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const options = { timeout, headers: natsHeaders(headers), noMux: true, reply: this.inbox() };
    return answerOf(await this.nats.request(this.subject(operation), payload, options));
  }

  /** Any route of the Space, by its method and path. */
  http(method: string, path: string, body?: unknown, headers: SentHeaders = {}): Promise<NatsAnswer> {
    return this.request('http', body, { 'Switchyard-Method': method, 'Switchyard-Path': path, ...headers });
  }

  /** All messages of a stream, until its end. */
  async stream(
    operation: string,
    body?: unknown,
    options: { headers?: SentHeaders; onMessage?: (message: Msg, answer: NatsAnswer) => boolean } = {},
  ): Promise<NatsAnswer[]> {
    const inbox = this.inbox();
    const subscription = this.nats.subscribe(inbox);
    this.nats.publish(this.subject(operation), body === undefined ? '' : JSON.stringify(body), {
      reply: inbox,
      headers: natsHeaders(options.headers ?? {}),
    });
    const messages: NatsAnswer[] = [];
    const late = setTimeout(() => subscription.unsubscribe(), 8_000);
    for await (const message of subscription) {
      const answer = answerOf(message);
      messages.push(answer);
      if (options.onMessage?.(message, answer) === true || answer.headers['Switchyard-End'] === 'true') break;
    }
    clearTimeout(late);
    return messages;
  }
}

export async function connectAs(url: string, account: { id: string; seed: string }): Promise<NatsConnection> {
  const nats = await connect({
    servers: url,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(account.seed)),
    inboxPrefix: `_INBOX.${account.id}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    waitOnFirstConnect: true,
    ignoreAuthErrorAbort: true,
  });
  open.add(nats);
  return nats;
}

/** Rejects with the reason of a server that refuses the user. */
export const connectOnce = (url: string, seed: string): Promise<NatsConnection> =>
  connect({
    servers: url,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    reconnect: false,
    maxReconnectAttempts: 0,
  });

interface AccountLimits {
  requestsPerMinute?: number;
  /** Of accounts alone. */
  applications?: string[];
}

interface Made {
  account: NatsAccount;
  /** A key with equal rights, for the same over HTTP. */
  key: Client;
}

export async function newAccount(
  platform: TestPlatform,
  space: TestSpace,
  settings: { scopes?: string[]; role?: 'VIEWER' | 'MEMBER' | 'ADMIN'; limits?: AccountLimits } = {},
): Promise<Made> {
  const { scopes = ['*'], role = 'ADMIN', limits } = settings;
  const body = { name: `service-${randomBytes(6).toString('hex')}`, role, scopes, limits };
  const made = await space.owner.post(`/spaces/${space.id}/nats-accounts`, body);
  if (made.status !== 201) throw new Error(`no account was made: ${JSON.stringify(made.body)}`);
  const { id, seed } = made.body.data as { id: string; seed: string };
  const account = new NatsAccount(id, seed, await connectAs(platform.state.natsApiUrl, { id, seed }));
  await until(async () => {
    const answer = await account.request('ping', undefined, {}, 1000).catch(() => null);
    return answer !== null && answer.status > 0;
  });
  const member = await space.member(role === 'VIEWER' ? 'MEMBER' : role);
  const { applications: _, ...keyLimits } = limits ?? {};
  const key = await space.key({ scopes, ...(limits ? { limits: keyLimits } : {}) }, member);
  const path = `/spaces/${space.id}/members/${member.identity.userId}`;
  // A key acts with the role that its person has now.
  if (role === 'VIEWER' && (await space.owner.patch(path, { role })).status !== 200) throw new Error('no VIEWER');
  return { account, key };
}

const open = new Set<NatsConnection>();

/** Closes what the tests of a file have opened, also where they failed. */
export async function closeConnections(): Promise<void> {
  await Promise.all([...open].map((nats) => nats.close()));
}
