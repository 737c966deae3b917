import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import type { Home } from '../home/home';
import type { PrivateServer } from './server';

/** JetStream on disk under the home; who may say what is in the rendered configuration. Ready once it has the streams. */
export function natsServer(
  home: Home,
  binary: string,
  port: number,
  options: { config: string; makeStreams: (url: string) => Promise<void> },
): PrivateServer {
  const folder = home.folder('nats');
  const configFile = home.file('nats/nats.conf');
  const url = `nats://127.0.0.1:${port}`;
  writeFileSync(configFile, options.config, { mode: 0o600 });
  return {
    url,
    process: {
      name: 'nats',
      describe: () => ({
        name: 'nats',
        command: binary,
        args: ['-c', configFile],
        env: { PATH: process.env.PATH },
        cwd: folder,
        logFile: `${home.logs}/nats.log`,
      }),
      isReady: async () => {
        if (!(await greets(port))) return false;
        await options.makeStreams(url);
        return true;
      },
      readyWithinMs: 30_000,
      stopSignal: 'SIGTERM',
      stopGraceMs: 10_000,
    },
  };
}

/** A NATS server sends INFO to each connection once it serves. */
export function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const finish = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('data', (chunk) => finish(chunk.toString('latin1').startsWith('INFO')));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => finish(false));
  });
}
