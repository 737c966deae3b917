import { connect } from 'node:net';
import type { Home } from '../home/home';
import { databaseName, type PostgresData } from './postgres-data';
import type { PrivateServer } from './server';
import type { SystemUser } from './unprivileged-user';

const longestSocketPath = 100;

/** fsync stays on: an acknowledged write survives a crash of this machine. */
export function postgresServer(
  home: Home,
  binary: string,
  port: number,
  options: { data: PostgresData; user: SystemUser | undefined; password: string },
): PrivateServer {
  const { folder, data } = options.data;
  const socketFolder = `${folder}/.s.PGSQL.${port}`.length < longestSocketPath ? folder : '';
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFolder,
    max_connections: 200,
    shared_buffers: '128MB',
    // Vacuum, checkpoints and statistics as they come; logs go to stderr and so to the home's log folder.
    log_min_messages: 'warning',
    logging_collector: 'off',
    // Queues grow and empty within seconds, and a plan is only as good as what the planner knows of them.
    autovacuum_naptime: '10s',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    url: `postgres://switchyard:${options.password}@127.0.0.1:${port}/${databaseName}`,
    process: {
      name: 'postgres',
      describe: () => ({
        name: 'postgres',
        command: binary,
        args: ['-D', data, ...flags],
        env: { PATH: process.env.PATH, LC_ALL: 'C' },
        cwd: folder,
        logFile: `${home.logs}/postgres.log`,
        user: options.user,
      }),
      isReady: () => acceptsConnections(port),
      readyWithinMs: 60_000,
      // Fast shutdown: sessions are ended, nothing needs recovery at the next start.
      stopSignal: 'SIGINT',
      stopGraceMs: 30_000,
    },
  };
}

/** Begins a session as a client would: a starting or recovering server answers with an error, a ready one asks for the password. */
function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    const finish = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.on('connect', () => socket.write(startupMessage));
    socket.once('data', (chunk) => finish(chunk.subarray(0, 1).toString('latin1') === 'R'));
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => finish(false));
  });
}

const startupMessage = ((): Buffer => {
  const parameters = Buffer.from('user\0switchyard\0database\0postgres\0\0', 'latin1');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + parameters.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, parameters]);
})();
