import { TcpProxy, type TestPlatform } from '@switchyard/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkTrouble } from './fault';

type Server = 'nats' | 'postgres';
const SLOW_MS = 300;

/** Proxies between single services and their servers; nothing notices them until something goes wrong on one. */
export class Wires {
  private readonly wires = new Map<string, TcpProxy>();

  private constructor() {}

  /** Starts the services anew, each with wires of its own to NATS and Postgres. */
  static async lay(
    platform: TestPlatform,
    services: readonly string[],
    settings: (name: string) => Record<string, string>,
  ): Promise<Wires> {
    const wires = new Wires();
    await Promise.all(services.map((service) => wires.connect(platform, service, settings(service))));
    return wires;
  }

  async trouble(service: string, server: Server, trouble: NetworkTrouble, forMs: number): Promise<void> {
    const wire = this.wires.get(`${service}-${server}`);
    if (!wire) throw new Error(`there is no wire from ${service} to ${server}`);
    if (trouble === 'slow') wire.slow(SLOW_MS);
    else wire[trouble]();
    await sleep(forMs);
    // A server that forgot its connections does not remember them later: who believes in them must find out alone.
    if (trouble !== 'halfOpen') wire.pass();
  }

  async close(): Promise<void> {
    await Promise.all([...this.wires.values()].map((wire) => wire.close()));
  }

  private async connect(platform: TestPlatform, service: string, settings: Record<string, string>): Promise<void> {
    const { natsUrl, databaseLogins } = platform.state;
    const open = async (server: Server, url: string): Promise<string> => {
      const wire = await TcpProxy.to(url);
      this.wires.set(`${service}-${server}`, wire);
      return wire.url;
    };
    const login = databaseLogins[service];
    await platform.service(service).restart({
      ...settings,
      NATS_URL: await open('nats', natsUrl),
      ...(login ? { DATABASE_URL: await open('postgres', login) } : {}),
    });
    await platform.service(service).ready();
  }
}
