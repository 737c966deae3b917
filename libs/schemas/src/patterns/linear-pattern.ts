import { RE2JS } from 're2js';
import { spend, unitsRemaining } from '../check-cost-limit';

/** Instructions of RE2, by the library's numbers. */
const OP = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  empty: 4,
  fail: 5,
  match: 6,
  nop: 7,
  runes: 8,
  rune: 9,
  any: 10,
  line: 11,
};
const EMPTY = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, boundary: 16, noBoundary: 32 };
const NEW_LINE = 10;
/** Cost of a call, besides its steps. */
const CALL = 10;
/** A class with more ranges than this is searched; it may have several hundred. */
const SHORT = 8;
const LONG_CLASS = 3;

interface Instruction {
  op: number;
  out: number;
  arg: number;
  runes: ArrayLike<number>;
  matchRune: (character: number) => boolean;
}

interface Compiled {
  re2Input: { prog: { inst: Instruction[]; start: number } };
}

/** The set of active instructions at an index of the text, in memory that all patterns share. */
class Threads {
  size = 0;
  list = new Int32Array(256);
  private indices = new Int32Array(256);

  reserve(instructions: number): void {
    this.size = 0;
    if (this.list.length >= instructions) return;
    this.list = new Int32Array(instructions);
    this.indices = new Int32Array(instructions);
  }

  has(pc: number): boolean {
    const index = this.indices[pc] ?? 0;
    return index < this.size && this.list[index] === pc;
  }

  add(pc: number): void {
    this.indices[pc] = this.size;
    this.list[this.size] = pc;
    this.size += 1;
  }
}

let current = new Threads();
let following = new Threads();
const waiting: number[] = [];

const isWord = (character: number): boolean =>
  (character >= 48 && character <= 57) ||
  (character >= 65 && character <= 90) ||
  character === 95 ||
  (character >= 97 && character <= 122);

function emptyBetween(before: number, after: number): number {
  let found = isWord(before) === isWord(after) ? EMPTY.noBoundary : EMPTY.boundary;
  if (before < 0) found |= EMPTY.beginText | EMPTY.beginLine;
  if (before === NEW_LINE) found |= EMPTY.beginLine;
  if (after < 0) found |= EMPTY.endText | EMPTY.endLine;
  if (after === NEW_LINE) found |= EMPTY.endLine;
  return found;
}

/**
 * Matches a user's pattern in linear time: simulates the RE2 program, with all active instructions at once. Cost is at
 * most characters times instructions, and each step spends budget. The library's own engines cannot be interrupted, and
 * one of them builds megabytes of tables for each pattern.
 */
export class LinearPattern {
  readonly instructions: number;
  private readonly ops: Uint8Array;
  private readonly outs: Int32Array;
  private readonly args: Int32Array;
  private readonly classes: (Instruction | undefined)[];
  private readonly start: number;
  private readonly isAnchored: boolean;

  constructor(pattern: string) {
    const { re2Input } = RE2JS.compile(RE2JS.translateRegExp(pattern)) as unknown as Compiled;
    const { inst, start } = re2Input.prog;
    if (inst.some(({ op }) => op < OP.alt || op > OP.line)) throw new Error(`cannot run the pattern ${pattern}`);
    this.instructions = inst.length;
    this.ops = Uint8Array.from(inst, ({ op }) => op);
    this.outs = Int32Array.from(inst, ({ out }) => out);
    this.args = Int32Array.from(inst, ({ op, arg, runes }) => (op === OP.rune ? (runes[0] ?? -1) : arg));
    this.classes = inst.map((instruction) => (instruction.op === OP.runes ? instruction : undefined));
    this.start = start;
    this.isAnchored = this.beginsAtBeginning();
  }

  /** Whether the text contains a match; throws TooExpensive. */
  test(text: string): boolean {
    const most = unitsRemaining();
    let used = CALL;
    current.reserve(this.instructions);
    following.reserve(this.instructions);
    let character = text.codePointAt(0) ?? -1;
    let empty = emptyBetween(-1, character);
    for (let at = 0; ;) {
      if (at === 0 || !this.isAnchored) used += this.follow(current, this.start, empty);
      else if (current.size === 0) break;
      at += character > 0xff_ff ? 2 : 1;
      const next = character < 0 ? -1 : (text.codePointAt(at) ?? -1);
      empty = emptyBetween(character, next);
      const cost = this.step(character, empty);
      if (cost < 0) {
        spend(used);
        return true;
      }
      used += cost;
      if (used > most) spend(used);
      if (character < 0) break;
      character = next;
      [current, following] = [following, current];
      following.size = 0;
    }
    spend(used);
    return false;
  }

  /** Advances all active instructions by one character. Returns the cost, or a negative number for a match. */
  private step(character: number, empty: number): number {
    let cost = 1 + current.size;
    for (let index = 0; index < current.size; index += 1) {
      const pc = current.list[index] ?? 0;
      const op = this.ops[pc];
      if (op === OP.match) return -1;
      if (character < 0) continue;
      let fits = false;
      if (op === OP.rune) fits = character === this.args[pc];
      else if (op === OP.runes) {
        const ranges = this.classes[pc];
        if ((ranges?.runes.length ?? 0) > SHORT) cost += LONG_CLASS;
        fits = ranges?.matchRune(character) ?? false;
      } else if (op === OP.any) fits = true;
      else if (op === OP.line) fits = character !== NEW_LINE;
      if (fits) cost += this.follow(following, this.outs[pc] ?? 0, empty);
    }
    return cost;
  }

  /** Adds an instruction and all that are reachable without a character. Returns their number. */
  private follow(threads: Threads, from: number, empty: number): number {
    const before = threads.size;
    waiting.push(from);
    for (let pc = waiting.pop(); pc !== undefined; pc = waiting.pop()) {
      if (threads.has(pc)) continue;
      const op = this.ops[pc];
      if (op === OP.fail) continue;
      threads.add(pc);
      if (op === OP.alt || op === OP.altMatch) waiting.push(this.args[pc] ?? 0, this.outs[pc] ?? 0);
      else if (op === OP.capture || op === OP.nop) waiting.push(this.outs[pc] ?? 0);
      else if (op === OP.empty && ((this.args[pc] ?? 0) & ~empty) === 0) waiting.push(this.outs[pc] ?? 0);
    }
    return 2 * (threads.size - before);
  }

  private beginsAtBeginning(): boolean {
    let pc = this.start;
    while (this.ops[pc] === OP.capture || this.ops[pc] === OP.nop) pc = this.outs[pc] ?? 0;
    return this.ops[pc] === OP.empty && ((this.args[pc] ?? 0) & EMPTY.beginText) !== 0;
  }
}
