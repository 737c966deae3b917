import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const apps = path.resolve(import.meta.dirname, '../../apps');

export const asksForHelp = (args) => args.includes('--help') || args.includes('-h');

/** Plain JavaScript, and the services from their folders: the help is there before anything is installed or built. */
export const startHelp = () => `npm start [-- options]

  --only a,b     start only these services (${services().join(', ')})
  --install      install missing servers with apt and sudo
  --help         show this

Environment: GATEWAY_PORT (3000), GATEWAY_HOST (127.0.0.1), SWITCHYARD_HOME (.switchyard), DATABASE_URL, NATS_URL,
REDIS_URL, NATS_API_URL (servers to use instead of private ones; NATS_API_URL= turns the NATS API off), NATS_API_PORT
(4223, or the next free port), BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD (the first owner), SWITCHYARD_PROCESSES (hosts:
four processes for all services; services: a process for each), and everything in .env.example. A .env file in the
project's folder is read.
`;

const services = () => readdirSync(apps).filter((name) => existsSync(path.join(apps, name, 'src/main.ts')));
