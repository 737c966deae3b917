import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isTracing } from '@switchyard/kernel';
import { BusServer } from '@switchyard/messaging';
import {
  Logger,
  Metrics,
  NestLog,
  type RunningService,
  bringUp,
  dropStartUp,
  keepHeapSmall,
  takeDown,
} from '@switchyard/service';
import type { GatewayConfig } from './gateway.config';
import { recordRequestMetrics } from './http/request-metrics';
import { traceRequests } from './http/request-span';
import { pathsHiddenOverNats } from './auth/reachable-over-nats';
import { RouteTable } from './http/route-table';
import { NatsApi } from './nats-api/nats-api';
import { leaveSecretsOut } from './nats-api/secret-answer-fields';
import { createHttpServer, registerHooks, watchConnections } from './server/http-server';
import { httpServerDepsOf } from './server/http-server-deps';
import { unroutedOf } from './server/unmatched-request';

interface RunningGateway extends RunningService {
  app: NestFastifyApplication;
}

/** Starts the gateway of `config`; the benchmark's has routes of its own as well. */
export async function startGateway(root: Type | DynamicModule, config: GatewayConfig): Promise<RunningGateway> {
  keepHeapSmall();
  const server = createHttpServer(
    config,
    unroutedOf(() => app),
  );
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(root, server, {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  const logger = app.get(Logger, { strict: false });
  app.useLogger(new NestLog(logger));
  const fastify = app.getHttpAdapter().getInstance();
  app.get(RouteTable).watch(fastify);
  const isHidden = pathsHiddenOverNats(fastify);
  leaveSecretsOut(fastify);
  const parts = httpServerDepsOf(app);
  watchConnections(fastify, parts.connections);
  if (isTracing()) traceRequests(fastify);
  recordRequestMetrics(fastify, app.get(Metrics, { strict: false }), logger);
  registerHooks(fastify, config, parts);
  app.connectMicroservice({ strategy: app.get(BusServer, { strict: false }) });
  await app.startAllMicroservices();
  await app.init();
  app.get(RouteTable).complete(fastify, isHidden);
  const internal = await bringUp(app);
  await app.listen(config.GATEWAY_PORT, config.GATEWAY_HOST);
  app.get(NatsApi, { strict: false }).start(fastify);
  logger.info({ host: config.GATEWAY_HOST, port: config.GATEWAY_PORT }, 'listening for requests');
  dropStartUp();
  return { app, logger, stop: () => takeDown(app, internal) };
}
