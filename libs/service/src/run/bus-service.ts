import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { BusErrorFilter, BusServer } from '@switchyard/messaging';
import { Logger, NestLog } from '../logger';
import { bringUp, takeDown } from './start-and-shutdown';
import { dropStartUp, keepHeapSmall } from './heap-size';

export interface RunningService {
  logger: Logger;
  /** Resolves when it has ended in order, or when its grace period is over. */
  stop: () => Promise<void>;
}

/** Starts a service that is reached over the bus alone: all of them but the gateway. */
export async function startBusService(root: Type | DynamicModule): Promise<RunningService> {
  keepHeapSmall();
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    inject: [BusServer],
    useFactory: (server: BusServer) => ({ strategy: server }),
    logger: false,
    abortOnError: false,
  });
  const logger = app.get(Logger, { strict: false });
  app.useLogger(new NestLog(logger));
  app.useGlobalFilters(new BusErrorFilter());
  await app.listen();
  const internal = await bringUp(app);
  dropStartUp();
  return { logger, stop: () => takeDown(app, internal) };
}
