/** Enough of a form to tell it from most of what is not one; the rest is compared where this much is found. */
const START = 8;

/** Texts to look for, all in one pass: a pattern finds where one may start. */
export class FormSearch {
  readonly shortest: number;
  private readonly starts: RegExp;
  /** By the longest start that was found, all forms that may stand there, the longest first. */
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

  /** Where a form may start, from `from` on and before `to`. */
  next(text: string, from: number, to: number): { at: number; length: number; work: number } | null {
    this.starts.lastIndex = from;
    // A start that begins before `to` may end behind it.
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
