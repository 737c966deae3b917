import { DynamicModule, Global, Module, Provider } from '@nestjs/common';
import { Bus } from './bus';
import { JetStreamConnection } from '../transport/jetstream-connection';
import { partsPrefix, randomInbox } from '../transport/connect-options';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { ChunkedPayloads } from '../transport/chunked-payloads';
import { RequestMultiplexer } from '../transport/request-multiplexer';
import { EventConsumers } from '../events/event-consumers';
import { OutboxRunner } from '../events/outbox-runner';
import { INBOX_STORE, InboxStore, OUTBOX_STORE, OutboxStore } from '../events/outbox-and-inbox-stores';
import { AcknowledgedEventPurge } from '../events/purge-acknowledged-events';
import { MessageSigner } from '../signing/message-signer';
import { BUS_OPTIONS, BusOptions } from '../options';
import { BusServer } from './bus-server';
import { StreamServer } from '../streams/stream-server';
import { Trials } from '../transport/trials';

const providers: Provider[] = [
  { provide: Trials, useFactory: () => new Trials() },
  NatsConnectionManager,
  JetStreamConnection,
  {
    provide: RequestMultiplexer,
    useFactory: (link: NatsConnectionManager) => new RequestMultiplexer(link, randomInbox(link.options.service)),
    inject: [NatsConnectionManager],
  },
  {
    provide: ChunkedPayloads,
    useFactory: (link: NatsConnectionManager) => {
      const { service } = link.options;
      return new ChunkedPayloads(link, new RequestMultiplexer(link, randomInbox(service, partsPrefix(service))));
    },
    inject: [NatsConnectionManager],
  },
  {
    provide: MessageSigner,
    useFactory: (options: BusOptions) => new MessageSigner(options.service, options.privateKey, options.publicKeys),
    inject: [BUS_OPTIONS],
  },
  {
    provide: StreamServer,
    useFactory: (link: NatsConnectionManager, chunkedPayloads: ChunkedPayloads) =>
      new StreamServer(link, chunkedPayloads),
    inject: [NatsConnectionManager, ChunkedPayloads],
  },
  {
    provide: EventConsumers,
    useFactory: (
      link: NatsConnectionManager,
      line: JetStreamConnection,
      encrypter: MessageSigner,
      trials: Trials,
      inbox?: InboxStore,
    ) => new EventConsumers(link, line, encrypter, trials, inbox ?? null),
    inject: [NatsConnectionManager, JetStreamConnection, MessageSigner, Trials, { token: INBOX_STORE, optional: true }],
  },
  {
    provide: OutboxRunner,
    useFactory: (
      link: NatsConnectionManager,
      line: JetStreamConnection,
      encrypter: MessageSigner,
      store?: OutboxStore,
    ) => (store ? new OutboxRunner(link, line, encrypter, store) : null),
    inject: [NatsConnectionManager, JetStreamConnection, MessageSigner, { token: OUTBOX_STORE, optional: true }],
  },
  {
    provide: AcknowledgedEventPurge,
    useFactory: (options: BusOptions, line: JetStreamConnection) =>
      options.service === 'event-bus' ? new AcknowledgedEventPurge(line, options.log) : null,
    inject: [BUS_OPTIONS, JetStreamConnection],
  },
  {
    provide: BusServer,
    useFactory: (
      link: NatsConnectionManager,
      chunkedPayloads: ChunkedPayloads,
      encrypter: MessageSigner,
      streams: StreamServer,
      events: EventConsumers,
      trials: Trials,
    ) => new BusServer(link, chunkedPayloads, encrypter, streams, events, trials),
    inject: [NatsConnectionManager, ChunkedPayloads, MessageSigner, StreamServer, EventConsumers, Trials],
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
      exports: [
        Bus,
        BusServer,
        NatsConnectionManager,
        OutboxRunner,
        ChunkedPayloads,
        RequestMultiplexer,
        MessageSigner,
        AcknowledgedEventPurge,
        Trials,
      ],
    };
  }
}
