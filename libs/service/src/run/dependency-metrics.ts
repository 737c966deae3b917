import type { Database } from '@switchyard/database';
import type { Health } from '../health/health';
import type { Metrics } from '../metrics';

/** Health as numbers, so that an alert can say which dependency is away from which service. */
export function countDependencies(metrics: Metrics, health: Health): void {
  metrics.gauge('switchyard_dependency_up', '1 while a dependency answers.', ['dependency'], async (gauge) => {
    const { dependencies } = await health.report();
    for (const [dependency, { up }] of Object.entries(dependencies)) gauge.set({ dependency }, up ? 1 : 0);
  });
}

/** What a busy or badly vacuumed database shows first. */
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
