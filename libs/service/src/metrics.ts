import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The library's own measure of the event loop wakes an idle process a hundred times a second: as good as never. */
const EVENT_LOOP_PRECISION_MS = 3_600_000;
const EVENT_LOOP_LAG = /^nodejs_eventloop_lag_/;

/** Names of the release before, by the name of today. They are exported beside it for one release. */
export const RENAMED_METRICS: Readonly<Record<string, string>> = {
  switchyard_frames_stored_bytes: 'switchyard_frames_kept_bytes',
  switchyard_partitions_ahead_days: 'switchyard_weeks_ahead_days',
  switchyard_response_cache_bytes: 'switchyard_told_responses_bytes',
  switchyard_turn_slots: 'switchyard_turn_places',
};

/**
 * The numbers of a process, in Prometheus' words. Asking twice for one name gives the same metric. How late the event
 * loop is says `EventLoopWatch`.
 */
export class Metrics {
  private readonly registry = new Registry();

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
    for (const { name } of this.registry.getMetricsAsArray())
      if (EVENT_LOOP_LAG.test(name)) this.registry.removeSingleMetric(name);
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    const existing = this.registry.getSingleMetric(name) as Counter<L> | undefined;
    return existing ?? new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void | Promise<void>,
  ): Gauge<L> {
    const existing = this.registry.getSingleMetric(name) as Gauge<L> | undefined;
    if (existing) return existing;
    return new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect(): void | Promise<void> {
        return collect?.(this);
      },
    });
  }

  histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets?: number[],
  ): Histogram<L> {
    const existing = this.registry.getSingleMetric(name) as Histogram<L> | undefined;
    return (
      existing ??
      new Histogram({
        name,
        help,
        labelNames: [...labelNames],
        registers: [this.registry],
        ...(buckets ? { buckets } : {}),
      })
    );
  }

  async text(): Promise<string> {
    const text = await this.registry.metrics();
    return (
      text +
      Object.entries(RENAMED_METRICS)
        .map(([name, before]) => renamed(text, name, before))
        .join('')
    );
  }
}

/** The samples of a metric once more, under the name that it had before. */
function renamed(text: string, name: string, before: string): string {
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  if (samples.length === 0) return '';
  const head = `\n# HELP ${before} The former name of ${name}; it goes with the next release.\n# TYPE ${before} gauge\n`;
  return head + samples.map((line) => `${before}${line.slice(name.length)}\n`).join('');
}
