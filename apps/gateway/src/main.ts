import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isTracing } from '@switchyard/kernel';
import { BusServer } from '@switchyard/messaging';
import {
  ConfigError,
  Logger,
  Metrics,
  NestLog,
  bringUp,
  dropStartUp,
  keepHeapSmall,
  readConfig,
  takeDown,
  untilStopped,
} from '@switchyard/service';
import { GatewayConfig } from './gateway.config';
import { GatewayModule } from './gateway.module';
import { registerHooks, createHttpServer, watchConnections } from './server/http-server';
import { httpServerDepsOf } from './server/http-server-deps';
import { recordRequestMetrics } from './http/request-metrics';
import { traceRequests } from './http/request-span';
import { RouteTable } from './http/route-table';
import { unroutedOf } from './server/unmatched-request';

async function start(): Promise<void> {
  keepHeapSmall();
  const config = readConfig(GatewayConfig, process.env);
  const server = createHttpServer(
    config,
    unroutedOf(() => app),
  );
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(GatewayModule, server, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  const logger = app.get(Logger, { strict: false });
  app.useLogger(new NestLog(logger));
  const fastify = app.getHttpAdapter().getInstance();
  app.get(RouteTable).watch(fastify);
  const parts = httpServerDepsOf(app);
  watchConnections(fastify, parts.connections);
  if (isTracing()) traceRequests(fastify);
  recordRequestMetrics(fastify, app.get(Metrics, { strict: false }), logger);
  registerHooks(fastify, config, parts);
  app.connectMicroservice({ strategy: app.get(BusServer, { strict: false }) });
  await app.startAllMicroservices();
  await app.init();
  app.get(RouteTable).complete(fastify);
  const internal = await bringUp(app);
  await app.listen(config.GATEWAY_PORT, config.GATEWAY_HOST);
  logger.info({ host: config.GATEWAY_HOST, port: config.GATEWAY_PORT }, 'listening for requests');
  dropStartUp();
  untilStopped('gateway', logger, () => takeDown(app, internal));
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
