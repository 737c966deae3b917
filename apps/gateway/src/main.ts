import 'reflect-metadata';
import { ConfigError, Logger, readConfig, takeDown, untilStopped } from '@switchyard/service';
import { GatewayConfig } from './gateway.config';
import { GatewayModule } from './gateway.module';
import { startGateway } from './start-gateway';

async function start(): Promise<void> {
  const { app, internal } = await startGateway(GatewayModule, readConfig(GatewayConfig, process.env));
  untilStopped('gateway', app.get(Logger, { strict: false }), () => takeDown(app, internal));
}

/** All commands of services need a database. */
function run(): Promise<void> {
  const [command] = process.argv.slice(2);
  if (command === undefined) return start();
  return Promise.reject(new ConfigError([`${command} is not a command: the gateway has none`]));
}

run().catch((error: unknown) => {
  const text =
    error instanceof ConfigError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`gateway did not start: ${text}\n`);
  process.exit(1);
});
