import type { ReportedUse, SpaceUseReport } from '@switchyard/contracts';
import { TopNCounter } from '@switchyard/service';

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Spaces that are kept of each minute and kind of use: the largest. */
const SPACES_PER_MINUTE_MAX = 100;
/** A process that holds connections says so every five seconds. */
const REPORT_TTL_MS = 15_000;

type Counts = Map<ReportedUse, TopNCounter>;

/** Usage of the last hour by minute, as reported by all processes; bounded for any number of Spaces. */
export class TopSpacesByUsage {
  /** By the number of the minute, the oldest first. */
  private readonly minutes = new Map<number, Counts>();
  /** Of each gateway, what it held when it last reported. */
  private readonly reports = new Map<string, { at: number; counts: TopNCounter }>();

  constructor(private readonly now: () => number = Date.now) {}

  onReport({ instance, amounts }: SpaceUseReport): void {
    const now = this.now();
    const minute = Math.floor(now / MINUTE_MS);
    const connections = new TopNCounter(SPACES_PER_MINUTE_MAX);
    for (const { use, spaceId, amount } of amounts) {
      if (use === 'connections') connections.add(spaceId, amount);
      else this.countsOf(minute, use).add(spaceId, amount);
    }
    if (connections.size > 0) this.reports.set(instance, { at: now, counts: connections });
    else this.reports.delete(instance);
    for (const old of this.minutes.keys()) if (old <= minute - MINUTES) this.minutes.delete(old);
    for (const [name, { at }] of this.reports) if (now - at > REPORT_TTL_MS) this.reports.delete(name);
  }

  /** The Spaces with most of this use in the last minutes, or of the connections that are held now. */
  largest(use: ReportedUse, minutes: number, most: number): [spaceId: string, amount: number][] {
    const now = this.now();
    const sums = new TopNCounter(SPACES_PER_MINUTE_MAX * MINUTES);
    const add = (counts: TopNCounter): void => {
      for (const [spaceId, amount] of counts.top(SPACES_PER_MINUTE_MAX)) sums.add(spaceId, amount);
    };
    if (use === 'connections') {
      for (const { at, counts } of this.reports.values()) if (now - at <= REPORT_TTL_MS) add(counts);
    } else {
      const first = Math.floor(now / MINUTE_MS) - minutes;
      for (const [minute, kinds] of this.minutes) {
        const counts = minute >= first ? kinds.get(use) : undefined;
        if (counts) add(counts);
      }
    }
    return sums.top(most);
  }

  private countsOf(minute: number, use: ReportedUse): TopNCounter {
    let kinds = this.minutes.get(minute);
    if (!kinds) this.minutes.set(minute, (kinds = new Map<ReportedUse, TopNCounter>()));
    let counts = kinds.get(use);
    if (!counts) kinds.set(use, (counts = new TopNCounter(SPACES_PER_MINUTE_MAX)));
    return counts;
  }
}
