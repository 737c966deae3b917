import { DynamicModule, Global, Module, Provider } from '@nestjs/common';
import { Bus } from './bus';
import { CarrierLine } from '../transport/carrier-line';
import { partsPrefix, randomInbox } from '../transport/connect-options';
import { NatsLink } from '../transport/nats-link';
import { Parts } from '../transport/parts';
import { RequestLine } from '../transport/request-line';
import { EventConsumers } from '../events/event-consumers';
import { OutboxRunner } from '../events/outbox-runner';
import { INBOX_STORE, InboxStore, OUTBOX_STORE, OutboxStore } from '../events/ports';
import { StreamSpace } from '../events/stream-space';
import { Sealer } from '../signing/seal';
import { BUS_OPTIONS, BusOptions } from '../options';
import { BusServer } from './bus-server';
import { StreamServer } from '../streams/stream-server';

const providers: Provider[] = [
  NatsLink,
  CarrierLine,
  {
    provide: RequestLine,
    useFactory: (link: NatsLink) => new RequestLine(link, randomInbox(link.options.service)),
    inject: [NatsLink],
  },
  {
    provide: Parts,
    useFactory: (link: NatsLink) => {
      const { service } = link.options;
      return new Parts(link, new RequestLine(link, randomInbox(service, partsPrefix(service))));
    },
    inject: [NatsLink],
  },
  {
    provide: Sealer,
    useFactory: (options: BusOptions) => new Sealer(options.service, options.privateKey, options.publicKeys, options),
    inject: [BUS_OPTIONS],
  },
  {
    provide: StreamServer,
    useFactory: (link: NatsLink, parts: Parts) => new StreamServer(link, parts),
    inject: [NatsLink, Parts],
  },
  {
    provide: EventConsumers,
    useFactory: (link: NatsLink, line: CarrierLine, sealer: Sealer, inbox?: InboxStore) =>
      new EventConsumers(link, line, sealer, inbox ?? null),
    inject: [NatsLink, CarrierLine, Sealer, { token: INBOX_STORE, optional: true }],
  },
  {
    provide: OutboxRunner,
    useFactory: (link: NatsLink, line: CarrierLine, sealer: Sealer, store?: OutboxStore) =>
      store ? new OutboxRunner(link, line, sealer, store) : null,
    inject: [NatsLink, CarrierLine, Sealer, { token: OUTBOX_STORE, optional: true }],
  },
  {
    provide: StreamSpace,
    useFactory: (options: BusOptions, line: CarrierLine) =>
      options.service === 'event-bus' ? new StreamSpace(line, options.log) : null,
    inject: [BUS_OPTIONS, CarrierLine],
  },
  {
    provide: BusServer,
    useFactory: (link: NatsLink, parts: Parts, sealer: Sealer, streams: StreamServer, events: EventConsumers) =>
      new BusServer(link, parts, sealer, streams, events),
    inject: [NatsLink, Parts, Sealer, StreamServer, EventConsumers],
  },
  Bus,
];

/** The bus of a process. libs/service provides the options and, with a database, the stores. */
@Global()
@Module({})
export class MessagingModule {
  static forService(given: Provider[]): DynamicModule {
    return {
      module: MessagingModule,
      providers: [...given, ...providers],
      exports: [Bus, BusServer, NatsLink, OutboxRunner, Parts, RequestLine, Sealer, StreamSpace],
    };
  }
}
