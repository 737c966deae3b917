import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { TestPlatform } from '@switchyard/testing';

/** Load balancer for several gateways: each connection goes to the next one that accepts it. */
export class Front {
  private next = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly listener: Server,
    private readonly ports: () => readonly number[],
  ) {
    listener.on('connection', (client) => this.accept(client, this.ports().length));
  }

  static async before(ports: () => readonly number[]): Promise<Front> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return new Front(listener, ports);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  close(): void {
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private accept(client: Socket, tries: number): void {
    const ports = this.ports();
    const port = ports[this.next % ports.length];
    this.next += 1;
    if (port === undefined || tries === 0) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    this.sockets.add(client).add(server);
    const end = (): void => {
      for (const socket of [client, server]) {
        socket.destroy();
        this.sockets.delete(socket);
      }
    };
    const refused = (): void => {
      this.sockets.delete(server);
      this.accept(client, tries - 1);
    };
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused).on('error', end);
      client.on('error', end);
      client.pipe(server).on('close', end);
      server.pipe(client).on('close', end);
    });
  }
}

/** The platform as it is seen from before its front. */
export class FrontedPlatform extends TestPlatform {
  constructor(private readonly front: Front) {
    super();
  }

  override get url(): string {
    return this.front.url;
  }
}
