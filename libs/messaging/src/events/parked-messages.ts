/** A message that was fetched again and is not there by then went to another replica. */
const BACK_WITHIN_MS = 2000;

interface Line {
  /** By their place in the stream, oldest first: how to answer the server. */
  parked: Map<number, string>;
  /** Asked for again, the latest last, and when that is forgotten. */
  expected: Map<number, number>;
  newest: number;
}

/**
 * Messages of Spaces that have their share waiting. Nothing of them is in memory but where to ask for them again, and
 * they come back in their order: as long as one of a Space is away, what comes later stands behind it.
 */
export class ParkedMessages {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Whether one that comes now may go on: nothing earlier of its Space is parked, or was asked for after it. An earlier
   * one that was asked for before it should have come first: it went to another replica.
   */
  mayPass(space: string, seq: number): boolean {
    const line = this.lines.get(space);
    if (!line) return true;
    this.forget(line);
    const asked = [...line.expected.keys()];
    const askedAfter = asked.slice(asked.indexOf(seq) + 1);
    line.expected.delete(seq);
    line.parked.delete(seq);
    const [oldest = Infinity] = line.parked.keys();
    return seq < Math.min(oldest, ...askedAfter);
  }

  /** `reply` is where the server hears of this delivery. */
  park(space: string, seq: number, reply: string): void {
    const line: Line = this.lines.get(space) ?? { parked: new Map(), expected: new Map(), newest: -1 };
    this.lines.set(space, line);
    line.parked.set(seq, reply);
    if (seq < line.newest) line.parked = new Map([...line.parked].toSorted(([one], [other]) => one - other));
    line.newest = Math.max(line.newest, seq);
  }

  /** Those that may come back: the oldest of each Space, as long as `hasRoom` says so. They are expected from here on. */
  recall(hasRoom: (space: string, expected: number) => boolean): string[] {
    const replies: string[] = [];
    for (const [space, line] of this.lines) {
      this.forget(line);
      for (const [seq, reply] of line.parked) {
        if (!hasRoom(space, line.expected.size)) break;
        line.parked.delete(seq);
        line.expected.set(seq, this.now() + BACK_WITHIN_MS);
        replies.push(reply);
      }
      if (line.parked.size === 0 && line.expected.size === 0) this.lines.delete(space);
    }
    return replies;
  }

  /** All of them, for which the server waits. */
  get replies(): string[] {
    return [...this.lines.values()].flatMap(({ parked }) => [...parked.values()]);
  }

  /** Whether nothing is parked, and nothing expected to come back. */
  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  private forget(line: Line): void {
    for (const [seq, until] of line.expected) if (until <= this.now()) line.expected.delete(seq);
  }
}
