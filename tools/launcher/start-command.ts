import { existsSync } from 'node:fs';
import path from 'node:path';
import { openDevSocket } from './dev-socket';
import { openHome } from './home/home';
import { lockHome } from './home/lock';
import { loadSecrets } from './home/secrets';
import { parseStartOptions, portFrom, sharesProcesses } from './options';
import { endStaleProcesses } from './processes/stale-processes';
import { Platform } from './platform';
import { Progress } from './progress';
import { projectRoot } from './project-root';
import { apartServicesOf } from './services/apart-services';
import { ignoredSentence, ignoredSettings } from './services/ignored-settings';
import { serviceEnv } from './services/service-env';
import { misspelledSettings } from './services/variable-names';
import { StopSentence } from './stop-sentence';
import { untilSignal } from './until-signal';
import { welcome } from './welcome';

/** Addresses of servers get the login of each service, and ports may be free ones. */
const USED_BY_LAUNCHER = new Set(['DATABASE_URL', 'GATEWAY_PORT', 'NATS_URL', 'NATS_API_URL', 'REDIS_URL']);

async function start(): Promise<void> {
  const options = parseStartOptions(process.argv.slice(2));
  const environmentFile = path.join(projectRoot, '.env');
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  const environment = process.env;
  const misspelled = misspelledSettings(environment);
  if (misspelled.length > 0) throw new StopSentence(misspelled.join('\n'));

  const progress = new Progress();
  const home = openHome(path.resolve(projectRoot, environment.SWITCHYARD_HOME || '.switchyard'));
  const unlock = lockHome(home);
  const ending = untilSignal();
  try {
    // The machine may have lost its power: then all services have lost their work at once.
    if (await endStaleProcesses(home.file('processes'))) apartServicesOf(home).add(options.services);
    const secrets = loadSecrets(home, environment);
    const platform = new Platform({
      home,
      secrets,
      environment,
      services: options.services,
      hosts: sharesProcesses(environment.SWITCHYARD_PROCESSES || undefined),
      gatewayHost: environment.GATEWAY_HOST || '127.0.0.1',
      gatewayPort: portFrom(environment.GATEWAY_PORT, 3000),
      natsApiPort: portFrom(environment.NATS_API_PORT, 4223, 'NATS_API_PORT'),
      install: options.install,
      progress,
      print: (line) => console.log(line),
    });
    const closeDevSocket = await openDevSocket(platform, home);
    try {
      const isUp = await Promise.race([platform.start().then(() => true), ending.then(() => false)]);
      if (isUp) {
        const received = options.services.map((name): [string, NodeJS.ProcessEnv] => [
          name,
          serviceEnv(name, environment, secrets, platform.endpoints),
        ]);
        const ignored = ignoredSettings(environment, Object.fromEntries(received), USED_BY_LAUNCHER);
        if (ignored.length > 0) console.log(ignoredSentence(ignored, 'npm start'));
        console.log(welcome(platform.endpoints, secrets, home, progress.seconds()));
        await ending;
      }
    } finally {
      console.log('\nstopping');
      closeDevSocket();
      await platform.stop();
    }
  } finally {
    unlock();
  }
  console.log('stopped');
}

start().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
