import type { Database } from '@switchyard/database';
import type { NatsLink, OutboxRunner, Parts, StreamSpace } from '@switchyard/messaging';
import type { Health } from '../health/health';
import type { Metrics } from '../metrics';

/** Health as numbers, so that an alert can say which dependency is away from which service. */
export function countDependencies(metrics: Metrics, health: Health): void {
  metrics.gauge('switchyard_dependency_up', '1 while a dependency answers.', ['dependency'], async (gauge) => {
    const { dependencies } = await health.report();
    for (const [dependency, { up }] of Object.entries(dependencies)) gauge.set({ dependency }, up ? 1 : 0);
  });
}

/** Memory of large messages until their receivers have fetched them. */
export function countParts(metrics: Metrics, parts: Parts): void {
  metrics.gauge(
    'switchyard_bus_parts',
    'Bytes of messages over 1 MiB that are held until they are fetched: used, limit, and how many messages were refused.',
    ['measure'],
    (gauge) => {
      for (const [measure, count] of Object.entries(parts.usage)) gauge.set({ measure }, count);
    },
  );
}

/** A service whose subscription NATS refuses gets no messages there, although all else works. */
export function countSubscriptions(metrics: Metrics, subscriptions: NatsLink['subscriptions']): void {
  metrics.gauge(
    'switchyard_subscriptions',
    'Subjects on which NATS refuses to let this process listen (refused), and refusals since the start (refusals).',
    ['measure'],
    (gauge) => {
      gauge.set({ measure: 'refused' }, subscriptions.refused.length);
      gauge.set({ measure: 'refusals' }, subscriptions.refusals);
    },
  );
}

/** How full the stream of events is. The event bus frees it, and looks. */
export function countEventStream(metrics: Metrics, space: StreamSpace | null, runner: OutboxRunner | null): void {
  if (space)
    metrics.gauge('switchyard_events_stream_bytes', 'The stream of events: used and limit.', ['measure'], (gauge) => {
      for (const [measure, bytes] of Object.entries(space.usage)) gauge.set({ measure }, bytes);
    });
  metrics.gauge(
    'switchyard_events_stream_refused',
    'Events that the full stream did not take, since the start. They wait in the outbox.',
    [],
    (gauge) => {
      gauge.set(runner?.refusedByFullStream ?? 0);
    },
  );
}

/** Signs of an overloaded or badly vacuumed database. */
export function countDatabase(metrics: Metrics, database: Database): void {
  metrics.gauge(
    'switchyard_database_connections',
    'Connections of this process to Postgres, and requests that wait for one.',
    ['state'],
    (gauge) => {
      for (const [state, count] of Object.entries(database.connections)) gauge.set({ state }, count);
    },
  );
  metrics.gauge(
    'switchyard_database_pool',
    'The connection pool: connections in use, their limit, and requests refused after waiting for one.',
    ['measure'],
    (gauge) => {
      for (const [measure, value] of Object.entries(database.poolUse)) gauge.set({ measure }, value);
    },
  );
  metrics.gauge(
    'switchyard_table_dead_rows',
    'Rows that vacuum has not removed yet, of the tables that have most.',
    ['table'],
    async (gauge) => {
      const tables = await database.deadRows().catch(() => null);
      if (!tables) return;
      gauge.reset();
      for (const { table, rows } of tables) gauge.set({ table }, rows);
    },
  );
}
