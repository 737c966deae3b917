/** A recalled message that has not arrived by then went to another replica. */
const BACK_WITHIN_MS = 2000;

interface SubjectMessages {
  /** Stream sequence to reply subject, oldest first. */
  parked: Map<number, string>;
  /** Recalled sequences, latest last, with their expiry. */
  expected: Map<number, number>;
  newest: number;
}

/**
 * Messages of Spaces over their share. Only their reply subjects are in memory; they are redelivered in order: while
 * one of a Space is parked, later ones of it wait too.
 */
export class DeferredMessages {
  private readonly lines = new Map<string, SubjectMessages>();

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Whether a message may be handled: no earlier one of its Space is parked, or was recalled after it. An earlier one
   * that was recalled before it went to another replica.
   */
  mayPass(space: string, seq: number): boolean {
    const line = this.lines.get(space);
    if (!line) return true;
    this.expire(line);
    const recalled = [...line.expected.keys()];
    const recalledAfter = recalled.slice(recalled.indexOf(seq) + 1);
    line.expected.delete(seq);
    line.parked.delete(seq);
    const [oldest = Infinity] = line.parked.keys();
    return seq < Math.min(oldest, ...recalledAfter);
  }

  /** `reply`: reply subject of this delivery. */
  park(space: string, seq: number, reply: string): void {
    const line: SubjectMessages = this.lines.get(space) ?? { parked: new Map(), expected: new Map(), newest: -1 };
    this.lines.set(space, line);
    line.parked.set(seq, reply);
    if (seq < line.newest) line.parked = new Map([...line.parked].toSorted(([one], [other]) => one - other));
    line.newest = Math.max(line.newest, seq);
  }

  /** Recalls the oldest messages of each Space while `hasRoom` allows. */
  recall(hasCapacity: (space: string, expected: number) => boolean): string[] {
    const replies: string[] = [];
    for (const [space, line] of this.lines) {
      this.expire(line);
      for (const [seq, reply] of line.parked) {
        if (!hasCapacity(space, line.expected.size)) break;
        line.parked.delete(seq);
        line.expected.set(seq, this.now() + BACK_WITHIN_MS);
        replies.push(reply);
      }
      if (line.parked.size === 0 && line.expected.size === 0) this.lines.delete(space);
    }
    return replies;
  }

  /** Reply subjects of all parked messages. */
  get replies(): string[] {
    return [...this.lines.values()].flatMap(({ parked }) => [...parked.values()]);
  }

  /** Whether nothing is parked or recalled. */
  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  private expire(line: SubjectMessages): void {
    for (const [seq, until] of line.expected) if (until <= this.now()) line.expected.delete(seq);
  }
}
