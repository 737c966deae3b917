import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The library's own measure of the event loop wakes an idle process a hundred times a second: as good as never. */
const EVENT_LOOP_PRECISION_MS = 3_600_000;
/** Alerts and dashboards find the services that run by it. */
const START_TIME = 'process_start_time_seconds';
const startedAtSeconds = (): number => Math.round(Date.now() / 1000 - process.uptime());
const EVENT_LOOP_LAG = /^nodejs_eventloop_lag_/;

/** Measures of a bounded resource: the suffix and the help of the metric of each, with the resource's name as %. */
export const BOUND_MEASURES = {
  used: ['', ''],
  limit: ['_limit', 'Limit of %.'],
  waiting: ['_waiting', 'Work that waits until % is below its limit.'],
  largest: ['_largest_space', 'Part of % that belongs to the Space with the most.'],
  largestLimit: ['_space_limit', 'Limit of the part of % that belongs to one Space.'],
  refused: ['_refused_total', 'Rejections because % had reached its limit.'],
  removed: ['_removed_total', 'Bytes that were removed to keep % within its limit.'],
} as const;
export type BoundMeasure = keyof typeof BOUND_MEASURES;

type SetMeasures<M extends BoundMeasure, L extends string> = (
  values: Readonly<Record<M, number>>,
  labels?: Readonly<Record<L, string>>,
) => void;

export const isCounted = (measure: BoundMeasure): boolean => BOUND_MEASURES[measure][0].endsWith('_total');
/** A metric with one measure has its own help; others refer to the metric that is measured. */
export const helpOfMeasure = (
  { name, help, measures }: { name: string; help: string; measures: readonly BoundMeasure[] },
  measure: BoundMeasure,
): string =>
  measure === 'used' || measures.length === 1 ? help : BOUND_MEASURES[measure][1].replace('%', `\`${name}\``);

/**
 * The numbers of a process, in Prometheus' words. Asking twice for one name gives the same metric. How late the event
 * loop is says `EventLoopMonitor`.
 */
export class Metrics {
  private readonly registry = new Registry();

  /** `ofProcess`: includes memory, processor time and garbage collection. One service of a process exports them. */
  constructor(service: string, { ofProcess }: { ofProcess: boolean } = { ofProcess: true }) {
    this.registry.setDefaultLabels({ service });
    if (ofProcess) this.addOfProcess();
    else this.gauge(START_TIME, 'Start time of the process since unix epoch in seconds.').set(startedAtSeconds());
  }

  private addOfProcess(): void {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
    for (const { name } of this.registry.getMetricsAsArray())
      if (EVENT_LOOP_LAG.test(name)) this.registry.removeSingleMetric(name);
    const limit = process.constrainedMemory();
    if (limit > 0 && limit < Number.MAX_SAFE_INTEGER)
      this.gauge('switchyard_memory_limit_bytes', 'The limit of memory of the container.').set(limit);
  }

  counter<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (counter: Counter<L>) => void,
  ): Counter<L> {
    const existing = this.registry.getSingleMetric(name) as Counter<L> | undefined;
    if (existing) return existing;
    return new Counter({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect(): void {
        collect?.(this);
      },
    });
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

  /**
   * How much of a bounded resource is used, as one metric for each measure: a limit is a gauge to compare with, and what
   * was refused is a counter under a name of its own. `collect` is called at each scrape.
   */
  bounded<M extends BoundMeasure, L extends string = never>(
    {
      name,
      help,
      measures,
      labels = [],
    }: { name: string; help: string; measures: readonly M[]; labels?: readonly L[] },
    collect: (set: SetMeasures<M, L>) => void,
  ): void {
    // Once for a scrape, which reads all metrics in one go: the first of them measures for all.
    const refresh = (metric: unknown): void => {
      if (metric !== all[0]?.[1]) return;
      for (const [, each] of all) each.reset();
      collect((values, given) => {
        const of = (given ?? {}) as Record<L, string>;
        for (const [measure, each] of all)
          if (each instanceof Counter) each.inc(of, values[measure]);
          else each.set(of, values[measure]);
      });
    };
    const all = measures.map((measure) => {
      const [suffix] = BOUND_MEASURES[measure];
      const text = helpOfMeasure({ name, help, measures }, measure);
      return isCounted(measure)
        ? ([measure, this.counter(`${name}${suffix}`, text, labels, refresh)] as const)
        : ([measure, this.gauge(`${name}${suffix}`, text, labels, refresh)] as const);
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

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
