import { existsSync, readFileSync, writeFileSync } from 'node:fs';
// Straight from its file: the library's door would load every contract of the platform.
import { readUsersFile, servicesServerConfig, usersFile } from '../../../libs/messaging/src/nats-api/users-file';
import type { Home } from '../home/home';
import { freePort, isFree } from '../ports';
import { greets } from './nats';
import type { PrivateServer } from './server';

const HOST = '127.0.0.1';
const USERS_FILE = 'services-users.conf';
const PORTS_TRIED = 100;

/** Files of the NATS server for services, in the home. */
export const servicesFiles = (home: Home): { config: string; users: string; pid: string } => ({
  config: home.file('nats-services/nats-services.conf'),
  users: home.file(`nats-services/${USERS_FILE}`),
  pid: home.file('nats-services/nats-services.pid'),
});

/** The NATS server of companies' services: apart from the platform's own, and without JetStream. */
export async function natsServicesServer(
  home: Home,
  binary: string,
  { preferredPort, platformKey }: { preferredPort: number; platformKey: string },
): Promise<PrivateServer> {
  const folder = home.folder('nats-services');
  const files = servicesFiles(home);
  const port = preferredPort === 0 ? await freePort() : await nextFreePort(preferredPort);
  const monitorPort = await freePort();
  const config = servicesServerConfig({ host: HOST, port, monitorPort, usersFile: USERS_FILE, pidFile: files.pid });
  writeFileSync(files.config, config, { mode: 0o600 });
  if (!isUsable(files.users, platformKey)) writeFileSync(files.users, usersFile(0, [], platformKey), { mode: 0o600 });
  return {
    url: `nats://${HOST}:${port}`,
    process: {
      name: 'nats-services',
      describe: () => ({
        name: 'nats-services',
        command: binary,
        args: ['-c', files.config],
        env: { PATH: process.env.PATH },
        cwd: folder,
        logFile: `${home.logs}/nats-services.log`,
      }),
      isReady: () => greets(port),
      readyWithinMs: 30_000,
      stopSignal: 'SIGTERM',
      stopGraceMs: 10_000,
    },
  };
}

const isUsable = (file: string, platformKey: string): boolean =>
  existsSync(file) && readUsersFile(readFileSync(file, 'utf8')).platform === platformKey;

async function nextFreePort(preferred: number): Promise<number> {
  for (let port = preferred; port < Math.min(preferred + PORTS_TRIED, 65_536); port += 1)
    if (await isFree(port, HOST)) return port;
  return freePort(HOST);
}
