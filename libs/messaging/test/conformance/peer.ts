import 'reflect-metadata';
import type { INestMicroservice, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { newEd25519, newId } from '@switchyard/kernel';
import type { ServiceName } from '@switchyard/contracts';
import {
  Database,
  Inbox,
  Outbox,
  messagingTables,
  migrate,
  prepareDatabase,
  serviceUrl,
  LostWork,
} from '@switchyard/database';
import {
  Bus,
  BusErrorFilter,
  BusServer,
  INBOX_STORE,
  InboxStore,
  MessagingModule,
  NatsConnectionManager,
  OUTBOX_STORE,
  OutboxRunner,
  OutboxStore,
  ChunkedPayloads,
  BUS_OPTIONS,
} from '@switchyard/messaging';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export const quiet = {
  info: noop,
  warn: noop,
  error: process.env['SWITCHYARD_TEST_LOUD'] ? console.error : noop,
  debug: noop,
};

function noop(): void {
  // The faults of this suite are loud enough.
}

interface Keys {
  privateKeys: Record<string, string>;
  publicKeys: Record<string, string>;
}

export function makeKeys(services: readonly string[]): Keys {
  const keys: Keys = { privateKeys: {}, publicKeys: {} };
  for (const service of services) {
    const { privateKey, publicKey } = newEd25519();
    keys.privateKeys[service] = privateKey;
    keys.publicKeys[service] = publicKey;
  }
  return keys;
}

/** Written by the suite's handlers. */
export const EFFECTS = 'create table job.effects (key text not null, number int not null)';

/** The tables that every service has, and none of its own. */
class MakeMessagingTables1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await messagingTables(runner);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** A database for the suite with the schemas of the given services; returns each service's URL. */
export async function makeDatabase(
  adminUrl: string,
  services: readonly ServiceName[],
  tables = '',
): Promise<{ urls: Record<string, string>; drop: () => Promise<void> }> {
  const name = `bus_${newId().replaceAll('-', '').slice(-12)}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const logins = services.map((service) => ({ service, password: 'conformance' }));
  await prepareDatabase(url.toString(), logins);
  for (const service of services)
    await migrate(url.toString(), { service, migrations: [MakeMessagingTables1700000000001] });
  const made = new Client({ connectionString: url.toString() });
  await made.connect();
  await made.query(tables);
  await made.end();
  return {
    urls: Object.fromEntries(logins.map((login) => [login.service, serviceUrl(url.toString(), login)])),
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

export interface PeerOptions {
  service: ServiceName;
  natsUrl: string;
  keys: Keys;
  databaseUrl?: string;
  poolSize?: number;
  controllers?: Type[];
  internalUrls?: Record<string, string>;
  nkeySeed?: string;
  /** Replaces the inbox, to prove that the suite detects a broken one. */
  inbox?: (real: Inbox) => InboxStore;
  outbox?: (real: Outbox, database: Database) => OutboxStore;
}

export interface Peer {
  bus: Bus;
  database: Database;
  link: NatsConnectionManager;
  server: BusServer;
  parts: ChunkedPayloads;
  runner: OutboxRunner;
  stop: (graceMs?: number) => Promise<void>;
}

/** A service of the suite, in this process. */
export async function startPeer(options: PeerOptions): Promise<Peer> {
  const database = options.databaseUrl
    ? new Database({ service: options.service, url: options.databaseUrl, poolSize: options.poolSize ?? 4, log: quiet })
    : null;
  await database?.connect();
  const outbox = database && new Outbox(database);
  const losses = database && new LostWork(database);
  const worker = newId();
  const inbox =
    database &&
    losses &&
    new Inbox(database, losses, {
      worker,
      begin: (work) => losses.begin({ ...work, worker }),
      end: (tx, slot) => tx.statement(losses.end({ worker, slot })),
      drop: () => undefined,
      alone: (work) => work(),
    });
  const given = [
    {
      provide: BUS_OPTIONS,
      useValue: {
        service: options.service,
        instance: newId().slice(-8),
        natsUrl: options.natsUrl,
        nkeySeed: options.nkeySeed,
        privateKey: options.keys.privateKeys[options.service],
        publicKeys: options.keys.publicKeys,
        internalUrls: options.internalUrls ?? {},
        log: quiet,
      },
    },
    { provide: OUTBOX_STORE, useValue: database && outbox && (options.outbox?.(outbox, database) ?? outbox) },
    { provide: INBOX_STORE, useValue: inbox && (options.inbox?.(inbox) ?? inbox) },
  ];

  @Module({ imports: [MessagingModule.forService(given)], controllers: options.controllers ?? [] })
  class PeerModule {}

  const app: INestMicroservice = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(PeerModule, {
    inject: [BusServer],
    useFactory: (server: BusServer) => ({ strategy: server }),
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new BusErrorFilter());
  await app.listen();
  const server = app.get(BusServer, { strict: false });
  server.open();
  const link = app.get(NatsConnectionManager, { strict: false });
  await link.ready();
  const bus = app.get(Bus, { strict: false });
  bus.serve();
  const runner = app.get<OutboxRunner | null>(OutboxRunner, { strict: false });
  runner?.start();
  await link.nc.flush();
  return {
    bus,
    database: database as Database,
    link,
    server,
    runner: runner as OutboxRunner,
    parts: app.get(ChunkedPayloads, { strict: false }),
    stop: async (graceMs = 2000) => {
      await server.drain(graceMs);
      await runner?.stop();
      await app.close();
      bus.stop();
      await link.close();
      // As a service on a regular shutdown: unfinished work is not a loss.
      await losses?.endAll(worker);
      await database?.close();
    },
  };
}
