import { chmodSync, rmSync } from 'node:fs';
import { type IncomingMessage, createServer, request } from 'node:http';
import path from 'node:path';
import type { Home } from './home/home';
import type { Platform } from './platform';
import { StopSentence } from './stop-sentence';

/** The name of a socket may have a hundred characters, and that of a folder has more: so it is said from here. */
const socketOf = (home: Home): string => path.relative(process.cwd(), path.join(home.folder('dev'), 'socket'));

/**
 * Takes `POST /restart/<service>?<settings>` from `npm run dev`. The folder of the socket belongs to who has started the
 * platform: other users are refused.
 */
export async function openDevSocket(platform: Platform, home: Home): Promise<() => void> {
  const socket = socketOf(home);
  chmodSync(path.dirname(socket), 0o700);
  rmSync(socket, { force: true });
  const server = createServer((incoming, response) => {
    restart(platform, incoming).then(
      () => response.end(),
      (error: unknown) => response.writeHead(409).end(error instanceof Error ? error.message : String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  return () => server.close().closeAllConnections();
}

async function restart(platform: Platform, { method, url = '' }: IncomingMessage): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://dev');
  const [, action = '', name = ''] = pathname.split('/');
  const target = platform.processOf(name);
  if (method !== 'POST' || action !== 'restart' || !target) throw new Error(`No service ${name} runs here.`);
  platform.settings.set(name, Object.fromEntries(searchParams));
  await target.stop();
  await target.start();
}

/** Resolves when the service answers again. */
export function askForRestart(home: Home, service: string, settings: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const requested = request(
      {
        socketPath: socketOf(home),
        method: 'POST',
        path: `/restart/${service}?${new URLSearchParams(settings).toString()}`,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new StopSentence(text))));
      },
    );
    requested.on('error', () =>
      reject(new StopSentence(`No platform runs on ${home.directory}. Start it in another terminal: npm start`)),
    );
    requested.end();
  });
}
