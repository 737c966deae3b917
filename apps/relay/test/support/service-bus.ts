import { NestFactory } from '@nestjs/core';
import type { ServiceName } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { BUS_OPTIONS, Bus, type BusOptions, MessagingModule, NatsConnectionManager } from '@switchyard/messaging';
import type { PlatformState } from '@switchyard/testing';

export interface ServiceBus {
  bus: Bus;
  close(): Promise<void>;
}

const nothing = (): void => undefined;

/**
 * Speaks on the bus as this service does, with its own NATS user and its own seal: what a service could that was
 * fooled.
 */
export async function openBusOf(service: ServiceName, state: PlatformState): Promise<ServiceBus> {
  const { services } = state.secrets;
  const options: BusOptions = {
    service,
    instance: newId().replaceAll('-', ''),
    natsUrl: state.natsUrl,
    nkeySeed: services[service]?.nats.seed,
    privateKey: services[service]?.privateKey ?? '',
    publicKeys: Object.fromEntries(Object.entries(services).map(([name, keys]) => [name, keys.publicKey])),
    internalUrls: {},
    log: { info: nothing, warn: nothing, error: nothing, debug: nothing },
  };
  const app = await NestFactory.createApplicationContext(
    MessagingModule.forService([{ provide: BUS_OPTIONS, useValue: options }]),
    { logger: false },
  );
  const link = app.get(NatsConnectionManager);
  await link.ready();
  const bus = app.get(Bus);
  bus.serve();
  return {
    bus,
    close: async () => {
      bus.stop();
      await link.close();
      await app.close();
    },
  };
}
