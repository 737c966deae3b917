import type { Database } from '@switchyard/database';
import type {
  NatsConnectionManager,
  OutboxRunner,
  ChunkedPayloads,
  AcknowledgedEventPurge,
  Trials,
} from '@switchyard/messaging';
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
export function countParts(metrics: Metrics, parts: ChunkedPayloads): void {
  metrics.bounded(
    {
      name: 'switchyard_bus_parts_bytes',
      help: 'Bytes of messages over 1 MiB that this process stores until their receivers fetch them.',
      measures: ['used', 'limit', 'refused'],
    },
    (set) => set(parts.usage),
  );
}

/** How often work that lost its process is repeated here, and what that costs fresh work. */
export function countTrials(metrics: Metrics, trials: Trials): void {
  const begun = metrics.counter(
    'switchyard_trials_total',
    'Trials: repetitions of requests or background work whose process ended while it ran them, by whether they started alone.',
    ['work', 'alone'],
  );
  const closed = metrics.counter(
    'switchyard_trials_closed_seconds_total',
    'Time for which new work of this process had to wait until a trial ended (`switchyard_trials_total`).',
  );
  const waits = metrics.histogram(
    'switchyard_trials_wait_seconds',
    "How long new work waited for the end of a trial (`switchyard_trials_total`), or until the trial's time was used up.",
    [],
    [0.01, 0.05, 0.25, 0.5, 1, 2, 3],
  );
  metrics.gauge('switchyard_trials_running', 'Trials in progress (`switchyard_trials_total`).', [], (gauge) => {
    gauge.set(trials.suspectCount);
  });
  trials.observer = {
    began: ({ isBackground }, isAlone) => {
      begun.inc({ work: isBackground ? 'background' : 'request', alone: String(isAlone) });
    },
    closed: (seconds) => {
      closed.inc(seconds);
    },
    waited: (seconds) => {
      waits.observe(seconds);
    },
  };
}

/** A service whose subscription NATS refuses gets no messages there, although all else works. */
export function countSubscriptions(metrics: Metrics, subscriptions: NatsConnectionManager['subscriptions']): void {
  metrics.bounded(
    {
      name: 'switchyard_subscriptions_missing',
      help: 'Subscriptions of this process that NATS denies.',
      measures: ['used'],
    },
    (set) => set({ used: subscriptions.refused.length }),
  );
  metrics.bounded(
    {
      name: 'switchyard_subscriptions_missing',
      help: 'Attempts to subscribe that NATS rejected.',
      measures: ['refused'],
    },
    (set) => set({ refused: subscriptions.refusals }),
  );
}

/** How full the stream of events is. The event bus frees it, and looks. */
export function countEventStream(
  metrics: Metrics,
  space: AcknowledgedEventPurge | null,
  runner: OutboxRunner | null,
): void {
  if (space)
    metrics.bounded(
      {
        name: 'switchyard_events_stream_bytes',
        help: 'Bytes in the stream of events.',
        measures: ['used', 'limit'],
      },
      (set) => set(space.usage),
    );
  metrics.bounded(
    {
      name: 'switchyard_events_stream',
      help: 'Events that NATS rejected because their stream was full. They wait in the outbox.',
      measures: ['refused'],
    },
    (set) => set({ refused: runner?.refusedByFullStream ?? 0 }),
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
  metrics.bounded(
    {
      name: 'switchyard_database_pool_connections',
      help: 'Connections of the pool that are in use.',
      measures: ['used', 'limit', 'refused'],
    },
    (set) => set(database.poolUse),
  );
  metrics.gauge(
    'switchyard_table_dead_rows',
    'Dead rows that vacuum has not removed yet, of the tables with the most.',
    ['table'],
    async (gauge) => {
      const tables = await database.deadRows().catch(() => null);
      if (!tables) return;
      gauge.reset();
      for (const { table, rows } of tables) gauge.set({ table }, rows);
    },
  );
}
