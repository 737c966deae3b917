import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

type Mode = 'pass' | 'black-hole' | 'refuse';

interface Pair {
  client: Socket;
  server: Socket;
}

/**
 * Stands between a process and a server, and does to their connections what networks do: swallows what is sent,
 * keeps one end alone, breaks both off, or is slow.
 */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  /** Ends whose other end is gone without a word. */
  private readonly halves = new Set<Socket>();
  private mode: Mode = 'pass';
  private delayMs = 0;

  private constructor(
    private readonly listener: Server,
    private readonly target: URL,
  ) {
    listener.on('connection', (client: Socket) => {
      this.accept(client);
    });
  }

  /** Towards the server of this address, with its path, user and password kept in `url`. */
  static async to(address: string): Promise<TcpProxy> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return new TcpProxy(listener, new URL(address));
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.listener.address() as AddressInfo).port);
    return url.toString();
  }

  get connections(): number {
    return this.pairs.size;
  }

  /** Everything as it should be, also for connections that were held up. */
  pass(): void {
    this.mode = 'pass';
    this.delayMs = 0;
    for (const half of this.halves) half.resetAndDestroy();
    this.halves.clear();
    for (const { client, server } of this.pairs) {
      client.resume();
      server.resume();
    }
  }

  /** Nothing arrives on either side, without an error; new connections get no answer either. */
  swallow(): void {
    this.mode = 'black-hole';
    for (const { client, server } of this.pairs) {
      client.pause();
      server.pause();
    }
  }

  /** The server forgets its connections; the clients believe in them still. New ones are good. */
  halfOpen(): void {
    for (const pair of this.pairs) {
      this.pairs.delete(pair);
      this.halves.add(pair.client);
      pair.client.pause();
      pair.server.resetAndDestroy();
    }
  }

  /** Breaks every connection off with a reset. New ones are good. */
  reset(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** Refuses connections, like a closed port. */
  refuse(): void {
    this.mode = 'refuse';
    this.reset();
  }

  /** Each piece comes this much later, in order. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  async close(): Promise<void> {
    this.reset();
    for (const half of this.halves) half.destroy();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private accept(client: Socket): void {
    client.on('error', () => undefined);
    if (this.mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    const pair = { client, server };
    this.pairs.add(pair);
    client.setNoDelay(true);
    server.setNoDelay(true);
    this.carry(pair, client, server);
    this.carry(pair, server, client);
    if (this.mode === 'black-hole') {
      client.pause();
      server.pause();
    }
  }

  private carry(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      const send = (): void => {
        if (!to.destroyed && !to.write(bytes)) {
          from.pause();
          to.once('drain', () => this.mode === 'pass' && from.resume());
        }
      };
      if (this.delayMs === 0) send();
      else setTimeout(send, this.delayMs);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.halves.delete(from);
      if (this.pairs.delete(pair)) to.destroy();
    });
  }
}
