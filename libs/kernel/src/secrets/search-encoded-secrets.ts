/** Prefix length of a form to search for; the rest is compared at each hit. */
const START = 8;

/** Searches for many texts in one pass: a regular expression finds the prefixes. */
export class EncodedSecretSearch {
  readonly shortest: number;
  private readonly starts: RegExp;
  /** Prefix to all forms that start with it, longest first. */
  private readonly formsAt: ReadonlyMap<string, readonly string[]>;

  constructor(forms: readonly string[]) {
    const sorted = [...forms].sort((a, b) => b.length - a.length);
    this.shortest = sorted.at(-1)?.length ?? Infinity;
    const starts = [...new Set(sorted.map((form) => form.slice(0, START)))];
    this.starts = new RegExp(starts.map((start) => start.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
    this.formsAt = new Map(
      starts.map((start) => [start, sorted.filter((form) => start.startsWith(form.slice(0, START)))]),
    );
  }

  /** Next index at which a form may start, in `from` (inclusive) to `to`. */
  next(text: string, from: number, to: number): { at: number; length: number; work: number } | null {
    this.starts.lastIndex = from;
    // A prefix that begins before `to` may end after it.
    const found = this.starts.exec(to + START < text.length ? text.slice(0, to + START) : text);
    if (!found || found.index >= to) return null;
    let work = 0;
    for (const form of this.formsAt.get(found[0]) ?? []) {
      work += form.length;
      if (text.startsWith(form, found.index)) return { at: found.index, length: form.length, work };
    }
    return { at: found.index, length: 0, work };
  }
}
