import 'reflect-metadata';
import { ConfigError, failStart, readConfig, untilStopped } from '@switchyard/service';
import { GatewayConfig } from './gateway.config';
import { GatewayModule } from './gateway.module';
import { startGateway } from './start-gateway';

async function start(): Promise<void> {
  const { logger, stop } = await startGateway(GatewayModule, readConfig(GatewayConfig, process.env));
  untilStopped('gateway', logger, stop);
}

/** All commands of services need a database. */
function run(): Promise<void> {
  const [command] = process.argv.slice(2);
  if (command === undefined) return start();
  return Promise.reject(new ConfigError([`${command} is not a command: the gateway has none`]));
}

run().catch((error: unknown) => failStart('gateway', error));
