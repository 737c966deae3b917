import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { newId } from '@switchyard/kernel';
import { BUS_OPTIONS, Bus, BusOptions, MessagingModule, NatsLink } from '@switchyard/messaging';
import type { PlatformState } from '@switchyard/testing';

export interface AgentBus {
  bus: Bus;
  close(): Promise<void>;
}

const quiet = { info: noop, warn: noop, error: noop, debug: noop };

function noop(): void {
  // The test looks at answers, not at logs.
}

/** Speaks on the bus as the agent service does: with its own NATS user and its own signature. */
export async function openAgentBus(state: PlatformState): Promise<AgentBus> {
  const { services } = state.secrets;
  const options: BusOptions = {
    service: 'agent',
    instance: newId().replaceAll('-', '').slice(8),
    natsUrl: state.natsUrl,
    nkeySeed: services['agent']?.nats.seed,
    privateKey: services['agent']?.privateKey ?? '',
    publicKeys: Object.fromEntries(Object.entries(services).map(([name, keys]) => [name, keys.publicKey])),
    internalUrls: {},
    log: quiet,
  };
  @Module({ imports: [MessagingModule.forService([{ provide: BUS_OPTIONS, useValue: options }])] })
  class AgentSide {}
  const app = await NestFactory.createApplicationContext(AgentSide, { logger: false });
  const link = app.get(NatsLink, { strict: false });
  await link.ready();
  const bus = app.get(Bus, { strict: false });
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
