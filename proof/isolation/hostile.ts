import { setMaxListeners } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A caller of another address than everybody else here: limits by address are to meet the attack alone. */
const FROM = '127.0.0.66';
const SHOWN_CHARACTERS = 200_000;
const DISCARD_UP_TO = 64 * 1024 * 1024;
/** An attacker that is refused comes again soon. */
const PAUSE_MS = 50;

export interface HostileRequest {
  method?: string;
  body?: string | Buffer | object;
  headers?: Record<string, string>;
  /** Read and parsed; otherwise the answer is thrown away. */
  parse?: boolean;
}

export interface HostileAnswer {
  /** 0 when the connection was closed instead. */
  status: number;
  data: { id?: string; systemApiKey?: string } | undefined;
}

/** Sends what an attack is made of, and counts what came back. */
export class Hostile {
  readonly statuses = new Map<number, number>();
  readonly failures: string[] = [];
  private readonly agent = new Agent({
    // Not within `connect`, where it is overruled by this one.
    localAddress: FROM,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
    pipelining: 1,
  });
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  constructor(
    private readonly url: string,
    private readonly keys: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    // Each request that is under way listens to it.
    setMaxListeners(0, signal);
  }

  /** A key has a rate of its own; the attack uses several. */
  get key(): string {
    this.turn += 1;
    return this.keys[this.turn % this.keys.length] ?? '';
  }

  async ask(path: string, { method, body, headers, parse = false }: HostileRequest = {}): Promise<HostileAnswer> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    try {
      const answer = await request(`${this.url}${path}`, {
        method: (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET',
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
        dispatcher: this.agent,
        signal: this.signal,
      });
      this.note(answer.statusCode);
      if (!parse) {
        if (answer.statusCode >= 500) this.tell(path, answer.statusCode, await answer.body.text());
        else await answer.body.dump({ limit: DISCARD_UP_TO });
        return { status: answer.statusCode, data: undefined };
      }
      const text = await answer.body.text();
      return { status: answer.statusCode, data: (JSON.parse(text) as { data?: HostileAnswer['data'] }).data };
    } catch {
      if (!this.signal.aborted) this.note(0);
      return { status: 0, data: undefined };
    }
  }

  /** Makes something that the attack needs; it must work. */
  async make(path: string, body: object): Promise<string> {
    for (;;) {
      const { status, data } = await this.ask(path, { body, parse: true });
      if (status === 429) await sleep(1_000);
      else if (status < 200 || status > 202) throw new Error(`could not POST ${path}: ${status}`);
      else return data?.id ?? '';
      this.signal.throwIfAborted();
    }
  }

  /** A connection on which this process writes what it likes. Its first answer is counted. */
  socket(head: string): Promise<Socket> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: FROM });
      this.sockets.add(socket);
      let seen = '';
      socket.on('data', (chunk: Buffer) => {
        if (seen.length > SHOWN_CHARACTERS) return;
        const isFirst = seen === '';
        seen += chunk.toString('latin1');
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(seen)?.[1] ?? 0);
        if (isFirst) this.note(status);
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.sockets.delete(socket);
        if (seen === '' && !this.signal.aborted) this.note(0);
        resolve(socket);
      });
      socket.once('connect', () => {
        socket.write(head);
        resolve(socket);
      });
    });
  }

  /** So many lanes do the same again and again until the attack ends. */
  async lanes(count: number, work: (shard: number) => Promise<unknown>): Promise<void> {
    const shard = async (number: number): Promise<void> => {
      while (!this.signal.aborted) {
        await work(number);
        await sleep(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: count }, (_, number) => shard(number)));
  }

  /** Holds what it has until the attack ends. */
  async hold(): Promise<void> {
    while (!this.signal.aborted) await sleep(PAUSE_MS);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await this.agent.destroy();
  }

  count(...statuses: readonly number[]): number {
    return statuses.reduce((sum, status) => sum + (this.statuses.get(status) ?? 0), 0);
  }

  private note(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  private tell(path: string, status: number, text: string): void {
    if (this.failures.length < 3) this.failures.push(`${path}: ${status} ${text.slice(0, 300)}`);
  }
}
