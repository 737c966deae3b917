import type { INestApplicationContext } from '@nestjs/common';
import { retry } from '@switchyard/concurrency';
import { Database, Inbox, Outbox } from '@switchyard/database';
import { sleep } from '@switchyard/kernel';
import {
  MAKE_STREAMS,
  Bus,
  BusServer,
  NatsConnectionManager,
  OutboxRunner,
  ChunkedPayloads,
  AcknowledgedEventPurge,
  Trials,
} from '@switchyard/messaging';
import { DatabaseServiceConfig, ServiceConfig } from '../config/service-config';
import { EventLoopMonitor } from '../event-loop/event-loop-monitor';
import { serveFailpoints } from '../health/failpoint-routes';
import { serveGarbage } from './garbage-collection-route';
import { Health } from '../health/health';
import { InternalPort } from '../health/internal-port';
import { InternalRoutes } from '../health/internal-routes';
import { Logger } from '../logger';
import { PoisonedWork } from '../lost-work';
import { Metrics } from '../metrics';
import type { RedisCache } from '../redis-cache';
import { REDIS } from '../service.module';
import { Retention } from '../retention/retention';
import {
  countDatabase,
  countDependencies,
  countEventStream,
  countParts,
  countSubscriptions,
  countTrials,
} from './dependency-metrics';
import { TRACING, type Tracing } from '../tracing/tracing';
import { Workers } from '../workers/background-loops';
import { withinGrace } from './within-grace';

/** Additional time to close connections. Supervisors wait five seconds longer than the grace period. */
const AFTER_GRACE_MS = 3_000;
/** Ids of handled events are stored for longer than any redelivery can take. */
const INBOX_DAYS = 14;
/** Work that is interrupted at the end of the grace was stopped in order too: it does not count as lost. */
const MARKS_ENDED_WITHIN_MS = 1_000;

const connectDatabase = (database: Database, logger: Logger): Promise<void> =>
  retry(() => database.connect(), {
    attempts: 60,
    baseMs: 500,
    maxMs: 500,
    shouldRetry: (error, attempt) => {
      if (attempt % 10 === 1) logger.warn({ err: error }, 'waiting for the database');
      return true;
    },
  });

function watchDatabase(app: INestApplicationContext, database: Database): void {
  const health = app.get(Health, { strict: false });
  const metrics = app.get(Metrics, { strict: false });
  const outbox = app.get(Outbox, { strict: false });
  const inbox = app.get(Inbox, { strict: false });
  health.add('postgres', () => database.isReachable(), true);
  countDatabase(metrics, database);
  metrics.gauge('switchyard_outbox_rows', 'Events that no consumer has confirmed yet.', [], async (gauge) => {
    const backlog = await outbox.backlog().catch(() => null);
    if (backlog) gauge.set(backlog.rows);
  });
  // Of its own: a gauge that another one sets tells the scrape before this one.
  metrics.gauge('switchyard_outbox_oldest_seconds', 'Age of the oldest unconfirmed event.', [], async (gauge) => {
    const backlog = await outbox.backlog().catch(() => null);
    if (backlog) gauge.set(backlog.oldestSeconds);
  });
  metrics.gauge('switchyard_dead_letters', 'Dead-lettered events.', [], async (gauge) => {
    const letters = await inbox.countDead().catch(() => null);
    if (letters !== null) gauge.set(letters);
  });
  const config = app.get<DatabaseServiceConfig>(ServiceConfig, { strict: false });
  const days = { inbox: INBOX_DAYS, dead: config.DEAD_LETTER_RETENTION_DAYS };
  app
    .get(Retention, { strict: false })
    .register('inbox rows and answers', (tx, limit) => inbox.deleteOld(tx, days, limit));
  const { lost: lapsed } = app.get(PoisonedWork, { strict: false });
  app.get(Retention, { strict: false }).register('lost work', (tx, limit) => lapsed.deleteOld(tx, days.dead, limit));
}

/** Brings a service up: database, bus, internal port, workers, in that order. */
export async function bringUp(app: INestApplicationContext): Promise<InternalPort> {
  const config = app.get(ServiceConfig, { strict: false });
  const logger = app.get(Logger, { strict: false });
  const health = app.get(Health, { strict: false });
  const link = app.get(NatsConnectionManager, { strict: false });
  const server = app.get(BusServer, { strict: false });
  const redis = app.get<RedisCache | null>(REDIS, { strict: false });
  if (redis) {
    redis.connect();
    health.add('redis', () => redis.isUp, false);
  }
  health.add('nats', () => link.isAnswering, false);
  const { subscriptions } = link;
  health.add(
    'subscriptions',
    () => subscriptions.refused.length === 0,
    true,
    () => `NATS refuses ${subscriptions.refused.join(', ')}`,
  );
  const runner = app.get<OutboxRunner | null>(OutboxRunner, { strict: false });
  if (runner) {
    health.add(
      'streams',
      () => runner.missingStreams.length === 0,
      true,
      () => `${runner.missingStreams.join(' and ')}: ${MAKE_STREAMS}`,
    );
  }
  const metrics = app.get(Metrics, { strict: false });
  countDependencies(metrics, health);
  countParts(metrics, app.get(ChunkedPayloads, { strict: false }));
  countTrials(metrics, app.get(Trials, { strict: false }));
  countSubscriptions(metrics, subscriptions);
  const space = app.get<AcknowledgedEventPurge | null>(AcknowledgedEventPurge, { strict: false });
  countEventStream(metrics, space, runner);
  const routes = app.get(InternalRoutes, { strict: false });
  if (config.FAILPOINTS) {
    serveFailpoints(routes);
    serveGarbage(routes);
  }
  const internal = new InternalPort(health, metrics, (subject, body) => server.answerOffline(subject, body), routes);
  await internal.listen(config.INTERNAL_HOST, config.INTERNAL_PORT);
  const database = app.get<Database | null>(Database, { strict: false });
  if (database) {
    await connectDatabase(database, logger);
    watchDatabase(app, database);
    await app.get(PoisonedWork, { strict: false }).marks.beginProcess();
  }
  await app.get(Workers, { strict: false }).prepare();
  server.open();
  void link.ready().then(() => {
    app.get(Bus, { strict: false }).serve();
    runner?.start();
    space?.start();
  });
  // Ready only once the server has taken what this process listens to: it answers in order.
  const listening = link.ready().then(() => link.nc.flush().catch(() => undefined));
  await Promise.race([listening, sleep(5000)]);
  app.get(Workers, { strict: false }).start();
  health.markStarted();
  app.get<EventLoopMonitor | null>(EventLoopMonitor, { strict: false })?.start();
  logger.info({ internalPort: config.INTERNAL_PORT }, 'up');
  return internal;
}

async function endMarks(app: INestApplicationContext): Promise<void> {
  if (app.get<Database | null>(Database, { strict: false }))
    await app.get(PoisonedWork, { strict: false }).marks.endAll();
}

/**
 * Takes a service down: not ready, no new work, finish or hand over, drain, close. When it resolves, the process may
 * end: all is done, or the grace period is over.
 */
export async function takeDown(app: INestApplicationContext, internal: InternalPort): Promise<void> {
  const { SHUTDOWN_GRACE_MS: graceMs } = app.get(ServiceConfig, { strict: false });
  const logger = app.get(Logger, { strict: false });
  // All steps together: a caller that waits for minutes must not delay the stop until the process is killed.
  await withinGrace(finish(app, internal, graceMs), graceMs + AFTER_GRACE_MS, async () => {
    logger.warn({}, 'stopped before all work finished');
    await Promise.race([endMarks(app), sleep(MARKS_ENDED_WITHIN_MS)]);
  });
}

async function finish(app: INestApplicationContext, internal: InternalPort, graceMs: number): Promise<void> {
  app.get(Health, { strict: false }).markStopping();
  app.get<EventLoopMonitor | null>(EventLoopMonitor, { strict: false })?.stop();
  const server = app.get(BusServer, { strict: false });
  await Promise.all([server.drain(graceMs), app.get(Workers, { strict: false }).stop(graceMs)]);
  await app.get<AcknowledgedEventPurge | null>(AcknowledgedEventPurge, { strict: false })?.stop();
  await app.get<OutboxRunner | null>(OutboxRunner, { strict: false })?.stop();
  await app.close();
  // Behind all work: what still runs when the grace is over was stopped in order.
  await endMarks(app);
  app.get(Bus, { strict: false }).stop();
  await app.get(NatsConnectionManager, { strict: false }).close();
  await app.get<Database | null>(Database, { strict: false })?.close();
  app.get<RedisCache | null>(REDIS, { strict: false })?.close();
  internal.close();
  await app.get<Tracing | null>(TRACING, { strict: false })?.stop();
}
