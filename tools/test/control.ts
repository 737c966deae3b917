import { createServer, type Server } from 'node:http';
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Home } from '../launcher/home/home';
import type { Platform } from '../launcher/platform';
import { SERVICES, type ServiceName } from '../launcher/service-names';

export interface Control {
  url: string;
  close(): void;
}

/** Lets tests stop and start single processes of the platform that runs for them; the supervisor knows of it. */
export async function openControl(platform: Platform, home: Home): Promise<Control> {
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://control');
    // A kept connection might end just when the next order is sent over it: on a busy machine it did.
    response.setHeader('connection', 'close');
    const [, action = '', name = ''] = pathname.split('/');
    act(platform, home, { action, name, settings: Object.fromEntries(searchParams) }).then(
      () => response.end('{}'),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}

interface Order {
  action: string;
  name: string;
  /** Environment variables of a process, from this start on. */
  settings: Record<string, string>;
}

async function act(platform: Platform, home: Home, { action, name, settings }: Order): Promise<void> {
  if (action === 'start') platform.settings.set(name, settings);
  const service = /^(.+)-\d+$/.exec(name)?.[1] ?? '';
  if (isService(service)) {
    if (action === 'stop') return platform.stopReplica(name);
    if (action === 'start' && !platform.processes.has(name)) return platform.startReplica(name, service);
  }
  const target = platform.processOf(name);
  if (!target) throw new Error(`nothing called ${name} runs here`);
  if (action === 'stop') return target.stop();
  if (action === 'start') return target.start();
  if (action === 'wipe' && name === 'nats') {
    await target.stop('SIGKILL');
    rmSync(home.file('nats/store'), { recursive: true, force: true });
    return target.start();
  }
  throw new Error(`${action} ${name} is not something to do here`);
}

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name);
