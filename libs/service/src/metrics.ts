import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The library's own measure of the event loop wakes an idle process a hundred times a second: as good as never. */
const EVENT_LOOP_PRECISION_MS = 3_600_000;
const EVENT_LOOP_LAG = /^nodejs_eventloop_lag_/;

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
    const known = this.registry.getSingleMetric(name) as Counter<L> | undefined;
    return known ?? new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void | Promise<void>,
  ): Gauge<L> {
    const known = this.registry.getSingleMetric(name) as Gauge<L> | undefined;
    if (known) return known;
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
    const known = this.registry.getSingleMetric(name) as Histogram<L> | undefined;
    return (
      known ??
      new Histogram({
        name,
        help,
        labelNames: [...labelNames],
        registers: [this.registry],
        ...(buckets ? { buckets } : {}),
      })
    );
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
