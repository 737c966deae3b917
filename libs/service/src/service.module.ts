import { DynamicModule, Global, Module, Provider, Type } from '@nestjs/common';
import { Class, LOST_WORK_OWNERS, ServiceName } from '@switchyard/contracts';
import { Database, Inbox, Outbox, type Table } from '@switchyard/database';
import { Clock, newId, offsetClock, systemClock } from '@switchyard/kernel';
import {
  BUS_OPTIONS,
  Bus,
  BusOptions,
  INBOX_STORE,
  type InboxStore,
  MessagingModule,
  OUTBOX_STORE,
  type OutboxStore,
  Trials,
} from '@switchyard/messaging';
import { readConfig } from './config/env';
import { DatabaseServiceConfig, type RedisServiceConfig, ServiceConfig } from './config/service-config';
import { EventLoopMonitor } from './event-loop/event-loop-monitor';
import { Health } from './health/health';
import { InternalRoutes } from './health/internal-routes';
import { HOSTING, type Hosting, Neighbours, SETTINGS, type ServiceSettings, settingsOf } from './hosting/hosting';
import { PayerCache } from './known/payer-cache';
import { ReachedLimitReports, sendReachedLimits } from './known/reached-limit-reports';
import { SpacePolicyCache } from './known/space-policy-cache';
import { Logger } from './logger';
import { PoisonedWork, lostWorkController } from './lost-work';
import { Metrics } from './metrics';
import { RedisCache } from './redis-cache';
import { SpaceUseCounter } from './space-use/space-use-counter';
import { TRACING, type Tracing, headersFrom, startTracing } from './tracing/tracing';
import { Retention } from './retention/retention';
import { Workers } from './workers/background-loops';

export const CLOCK = Symbol('CLOCK');

interface OwnOptions {
  name: ServiceName;
  /** Whether the service has a database; its configuration then extends DatabaseServiceConfig. */
  database?: boolean;
  /** Users search its tables by any field: plans may scan them, unlike elsewhere. */
  isSearched?: boolean;
  /** The tables of `db/` whose rows are read and written through TypeORM. */
  tables?: readonly Table[];
}

/** Whether it asks Redis something: then its configuration says where Redis is, and else it does not. */
type RedisOptions =
  | { redis: true; config: Class<ServiceConfig & RedisServiceConfig> }
  | { redis?: false; config: Class<ServiceConfig & { REDIS_URL?: never }> };

export type ServiceOptions = OwnOptions & RedisOptions;

/** The cache of a service that has one, or null. */
export const REDIS = Symbol('REDIS');

/** Part of the pool that one Space may use while others wait. */
const SPACE_SHARE_PERCENT = 50;
/** The reports of reached limits, connected to the bus. */
const REACHED_LIMITS = Symbol('REACHED_LIMITS');

function redisProviders(options: ServiceOptions): Provider[] {
  if (options.redis !== true) return [{ provide: REDIS, useValue: null }];
  return [
    {
      provide: RedisCache,
      useFactory: (config: RedisServiceConfig, logger: Logger, tracing: Tracing | null) =>
        RedisCache.at(config.REDIS_URL, logger, tracing !== null),
      inject: [ServiceConfig, Logger, TRACING],
    },
    { provide: REDIS, useExisting: RedisCache },
  ];
}

function databaseProviders(options: ServiceOptions): Provider[] {
  if (!options.database) return [{ provide: Database, useValue: null }];
  return [
    {
      provide: Database,
      useFactory: (config: DatabaseServiceConfig, log: Logger, payerCache: PayerCache) =>
        new Database({
          service: options.name,
          url: config.DATABASE_URL,
          secondPassword: config.DATABASE_SECOND_PASSWORD,
          poolSize: config.DATABASE_POOL_SIZE,
          spaceSharePercent: SPACE_SHARE_PERCENT,
          poolWaitMs: config.DATABASE_POOL_WAIT_MS,
          statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
          payerOf: payerCache.of,
          log,
          tables: options.tables,
          isSearched: options.isSearched,
          isProduction: config.NODE_ENV === 'production',
        }),
      inject: [ServiceConfig, Logger, PayerCache],
    },
    { provide: Outbox, useFactory: (database: Database) => new Outbox(database), inject: [Database] },
    {
      provide: Inbox,
      useFactory: (database: Database, poisoned: PoisonedWork) => {
        const inbox = new Inbox(database, poisoned.lost, poisoned.marks);
        poisoned.add({
          kind: 'message',
          retry: async (tx, { id }) => ((await inbox.requeue(tx, id)) > 0 ? 'again' : 'absent'),
        });
        return inbox;
      },
      inject: [Database, PoisonedWork],
    },
    {
      provide: Retention,
      useFactory: (database: Database, workers: Workers, config: DatabaseServiceConfig, metrics: Metrics) =>
        new Retention(database, workers, config.RETENTION_EVERY_MS, metrics),
      inject: [Database, Workers, ServiceConfig, Metrics],
    },
    {
      provide: PoisonedWork,
      useFactory: (database: Database, workers: Workers, metrics: Metrics, logger: Logger, trials: Trials) =>
        new PoisonedWork(database, workers, metrics, logger, trials),
      inject: [Database, Workers, Metrics, Logger, Trials],
    },
    storedIn<OutboxStore>(OUTBOX_STORE, Outbox),
    storedIn<InboxStore>(INBOX_STORE, Inbox),
  ];
}

/** The class has to be what the token stands for: Nest would find out when a method is missing. */
const storedIn = <T>(provide: symbol, useExisting: Type<T>): Provider => ({ provide, useExisting });

function providersOf(options: ServiceOptions): Provider[] {
  const { name } = options;
  const config: Class<ServiceConfig> = options.config;
  return [
    { provide: SETTINGS, useFactory: settingsOf, inject: [{ token: HOSTING, optional: true }] },
    { provide: config, useFactory: (settings: ServiceSettings) => readConfig(config, settings), inject: [SETTINGS] },
    ...(config === ServiceConfig ? [] : [{ provide: ServiceConfig, useExisting: config }]),
    {
      provide: Logger,
      useFactory: (config: ServiceConfig) => new Logger(name, config.LOG_LEVEL),
      inject: [ServiceConfig],
    },
    {
      provide: CLOCK,
      useFactory: (config: ServiceConfig): Clock =>
        config.CLOCK_OFFSET_MS === 0 ? systemClock : offsetClock(config.CLOCK_OFFSET_MS),
      inject: [ServiceConfig],
    },
    {
      provide: TRACING,
      useFactory: (config: ServiceConfig): Promise<Tracing> | null =>
        config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
          ? null
          : startTracing({
              service: name,
              instance: newId(),
              endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
              headers: headersFrom(config.OTEL_EXPORTER_OTLP_HEADERS),
              ratio: config.OTEL_TRACES_SAMPLER_ARG,
            }),
      inject: [ServiceConfig],
    },
    {
      provide: Metrics,
      useFactory: (hosting?: Hosting) => new Metrics(name, { ofProcess: hosting?.isFirst ?? true }),
      inject: [{ token: HOSTING, optional: true }],
    },
    {
      provide: EventLoopMonitor,
      useFactory: (config: ServiceConfig, logger: Logger, metrics: Metrics, hosting?: Hosting) =>
        hosting?.isFirst === false
          ? null
          : new EventLoopMonitor(
              { limitMs: config.EVENT_LOOP_STALL_MS, samplesFromStart: config.NODE_ENV === 'test' },
              logger,
              metrics,
            ),
      inject: [ServiceConfig, Logger, Metrics, { token: HOSTING, optional: true }],
    },
    {
      provide: Neighbours,
      useFactory: (hosting?: Hosting) => hosting?.neighbours ?? new Neighbours(),
      inject: [{ token: HOSTING, optional: true }],
    },
    { provide: PayerCache, useFactory: () => new PayerCache() },
    {
      provide: ReachedLimitReports,
      useFactory: (logger: Logger) => new ReachedLimitReports(logger),
      inject: [Logger],
    },
    { provide: Health, useFactory: () => new Health() },
    { provide: InternalRoutes, useFactory: () => new InternalRoutes() },
    {
      provide: Workers,
      useFactory: (logger: Logger, metrics: Metrics) => new Workers(logger, metrics),
      inject: [Logger, Metrics],
    },
    {
      provide: BUS_OPTIONS,
      useFactory: (
        config: ServiceConfig,
        log: Logger,
        payerCache: PayerCache,
        limits: ReachedLimitReports,
      ): BusOptions => ({
        service: name,
        instance: newId().replaceAll('-', '').slice(8),
        natsUrl: config.NATS_URL,
        nkeySeed: config.NATS_NKEY_SEED,
        privateKey: config.SERVICE_PRIVATE_KEY,
        publicKeys: config.SERVICE_PUBLIC_KEYS,
        internalUrls: config.INTERNAL_URLS,
        partsMaxBytes: config.BUS_PARTS_MAX_BYTES,
        isProduction: config.NODE_ENV === 'production',
        payerOf: payerCache.of,
        onReachedLimit: (spaceId, limit) => limits.report(spaceId, limit),
        log,
      }),
      inject: [ServiceConfig, Logger, PayerCache, ReachedLimitReports],
    },
    ...redisProviders(options),
    ...databaseProviders(options),
  ];
}

/**
 * Everything that a service is given: configuration, log, clock, metrics, health, workers, bus, and Redis and a
 * database where it has them.
 */
@Global()
@Module({})
export class ServiceModule {
  static forService(options: ServiceOptions): DynamicModule {
    const providers = providersOf(options);
    const lostWork = options.database ? LOST_WORK_OWNERS[options.name] : undefined;
    return {
      module: ServiceModule,
      controllers: lostWork ? [lostWorkController(options.name, lostWork)] : [],
      imports: [GivenModule.forService(providers), MessagingModule.forService([])],
      providers: [
        {
          provide: SpacePolicyCache,
          useFactory: (bus: Bus, payerCache: PayerCache) => new SpacePolicyCache(bus, options.name, payerCache),
          inject: [Bus, PayerCache],
        },
        {
          provide: REACHED_LIMITS,
          useFactory: (bus: Bus, reports: ReachedLimitReports) => {
            sendReachedLimits(bus, options.name, reports);
            return reports;
          },
          inject: [Bus, ReachedLimitReports],
        },
        {
          provide: SpaceUseCounter,
          useFactory: (bus: Bus, { instance }: BusOptions) => new SpaceUseCounter(bus, options.name, instance),
          inject: [Bus, BUS_OPTIONS],
        },
      ],
      exports: [MessagingModule, SpacePolicyCache, SpaceUseCounter],
    };
  }
}

/** Holds the providers where the bus and the service both find them. */
@Global()
@Module({})
class GivenModule {
  static forService(providers: Provider[]): DynamicModule {
    const exported = providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide));
    return { module: GivenModule, providers, exports: exported };
  }
}
