// The event bus as it is, a replica beside the platform's; what it records is timed in place, without a bus before it.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { type Ctx, makeCtx } from '@switchyard/contracts';
import { BusErrorFilter, BusServer } from '@switchyard/messaging';
import { bringUp } from '@switchyard/service';
import { EmissionsService } from '../../../apps/event-bus/src/emissions/emissions.service';
import { EventBusModule } from '../../../apps/event-bus/src/event-bus.module';
import { throughput } from '../measure';

export interface Recording {
  spaceId: string;
  applicationId: string;
  appIdentifier: string;
  callers: number;
  times: number;
}

const ctxOf = ({ spaceId, applicationId }: Recording): Ctx =>
  makeCtx({
    spaceId,
    userId: null,
    role: null,
    scopes: ['events:emit'],
    credentialId: applicationId,
    credentialType: 'system_key',
    applicationId,
  });

async function serve(): Promise<void> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(EventBusModule, {
    inject: [BusServer],
    useFactory: (server: BusServer) => ({ strategy: server }),
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new BusErrorFilter());
  await app.listen();
  await bringUp(app);
  const emissions = app.get(EmissionsService, { strict: false });
  let made = 0;
  process.on('message', (message) => {
    const recording = JSON.parse(String(message)) as Recording;
    const emit = (): Promise<unknown> =>
      emissions.emit(ctxOf(recording), {
        appIdentifier: recording.appIdentifier,
        event: 'order',
        payload: { order: `inside-${(made += 1)}`, customer: 'nobody', total: 12.5, note: 'x'.repeat(120) },
        idempotencyKey: randomUUID(),
      });
    void throughput(recording.times, recording.callers, emit).then((rate) => process.send?.(String(rate)));
  });
  process.send?.('ready');
}

void serve();
