import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BUS_OPTIONS, type BusOptions, setStreamReplicas } from '@switchyard/messaging';

const WITHIN_MS = 600_000;

/** `stream-replicas`: gives the streams that are there as many copies as NATS_STREAM_REPLICAS says. */
export async function runStreamReplicas(module: Type): Promise<void> {
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const options = app.get<BusOptions>(BUS_OPTIONS, { strict: false });
  for (const { stream, before, now } of await setStreamReplicas(options, WITHIN_MS))
    process.stdout.write(`${stream}: ${before === now ? `has ${now}` : `${before} -> ${now}`}\n`);
  process.exit(0);
}
