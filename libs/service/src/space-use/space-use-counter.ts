import {
  type CountedUse,
  REPORTED_SPACES_MAX,
  type ReportedUse,
  type ServiceName,
  SpaceUseSignals,
  serviceCtx,
} from '@switchyard/contracts';
import { Ticks } from '@switchyard/concurrency';
import { isId } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { TopNCounter } from './top-n-counter';

const REPORT_EVERY_MS = 5_000;
/** Spaces of which one process counts at a time. */
const SPACES_PER_USE_MAX = 1_000;

type Now = () => Iterable<[spaceId: string, amount: number]>;

/**
 * Usage of this process by Space, for operators: counted in memory, and reported to the gateways every five seconds.
 * Counts since the last report are lost with the process.
 */
export class SpaceUseCounter {
  private counts = new Map<ReportedUse, TopNCounter>();
  private now: Now | undefined;
  private hadSome = false;
  private readonly reports = new Ticks(REPORT_EVERY_MS, () => this.report());

  constructor(
    private readonly bus: Bus,
    private readonly service: ServiceName,
    private readonly instance: string,
  ) {}

  add(use: CountedUse, spaceId: string, amount = 1): void {
    let counts = this.counts.get(use);
    if (!counts) this.counts.set(use, (counts = new TopNCounter(SPACES_PER_USE_MAX)));
    counts.add(spaceId, amount);
    this.reports.begin();
  }

  /** Current numbers of each Space; reported while they are not zero. */
  reportConnections(now: Now): void {
    this.now = now;
  }

  stop(): void {
    this.reports.stop();
  }

  private report(): boolean {
    const amounts = [...this.counts].flatMap(([use, counts]) =>
      counts.top(REPORTED_SPACES_MAX).map(([spaceId, amount]) => ({ use, spaceId, amount })),
    );
    this.counts = new Map();
    const leased = new TopNCounter(SPACES_PER_USE_MAX);
    for (const [spaceId, amount] of this.now?.() ?? []) if (isId(spaceId)) leased.add(spaceId, amount);
    for (const [spaceId, amount] of leased.top(REPORTED_SPACES_MAX))
      amounts.push({ use: 'connections', spaceId, amount });
    // A last, empty one says that nothing is held any more.
    if (amounts.length > 0 || this.hadSome)
      this.bus.signal(SpaceUseSignals.reported, serviceCtx(this.service), { instance: this.instance, amounts });
    this.hadSome = leased.size > 0;
    return this.hadSome;
  }
}
