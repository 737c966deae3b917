import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import type { Home } from '../home/home';
import { redisUsers } from '../home/redis-users';
import type { Secrets } from '../home/secrets';
import type { PrivateServer } from './server';

/** Holds only what may be lost, so nothing is written to disk; oldest entries make room for new ones. */
export function redisServer(home: Home, binary: string, port: number, secrets: Secrets): PrivateServer {
  const { redisPassword: password } = secrets;
  const folder = home.folder('redis');
  const configFile = home.file('redis/redis.conf');
  const usersFile = home.file('redis/users.acl');
  const config = [
    'bind 127.0.0.1',
    `port ${port}`,
    `aclfile "${usersFile}"`,
    `dir "${folder}"`,
    'save ""',
    'appendonly no',
    'maxmemory 256mb',
    'maxmemory-policy allkeys-lru',
    // Expired entries that are not read again may stay for some seconds. The usual ten looks a second cost more than all else
    // that an idle Redis does.
    'hz 1',
  ];
  writeFileSync(usersFile, redisUsers(secrets), { mode: 0o600 });
  writeFileSync(configFile, `${config.join('\n')}\n`, { mode: 0o600 });
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    process: {
      name: 'redis',
      describe: () => ({
        name: 'redis',
        command: binary,
        args: [configFile],
        env: { PATH: process.env.PATH },
        cwd: folder,
        logFile: `${home.logs}/redis.log`,
      }),
      isReady: () => answersPing(port, password),
      readyWithinMs: 15_000,
      stopSignal: 'SIGTERM',
      stopGraceMs: 5_000,
    },
  };
}

function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    let answer = '';
    const finish = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.on('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.includes('+PONG')) finish(true);
    });
    for (const event of ['error', 'timeout', 'close']) socket.on(event, () => finish(false));
  });
}
