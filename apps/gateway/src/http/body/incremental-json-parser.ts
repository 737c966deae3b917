import { invalid, isPlainObject, TimeSlice } from '@switchyard/kernel';

/** Smaller bodies are parsed at once. */
export const SLICE_BYTES = 256 * 1024;
/** Of a large body. Short fields take 40 times as long as text: 64 KiB of them about 10 ms. */
const PART_BYTES = 64 * 1024;
/** The scan looks at the clock this often. */
const LOOK_EVERY = 32 * 1024;

/** More levels than are allowed are read, so that the check of the value can name the place. */
const SPARE_LEVELS = 8;

const Sign = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

export interface SliceLimits {
  depth: number;
  nodes: number;
}

/** Only what JSON takes for white space. */
const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text);

const malformed = (): SyntaxError => new SyntaxError('not valid JSON');

function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

/** An incomplete list or object: complete members are parsed, the rest is still text. */
class Open {
  value: unknown[] | Record<string, unknown> | undefined;
  /** Where the text begins that is not parsed yet. */
  from: number;
  lastComma = -1;
  /** A child that was parsed by itself has ended, and only a separator may follow. */
  isChildDone = false;
  /** Something was parsed up to a comma: another child has to follow. */
  needsChild = false;
  private field: string | undefined;

  constructor(
    readonly isList: boolean,
    at: number,
  ) {
    this.from = at + 1;
  }

  /** Takes the whole children before `end`, which is the place of a comma or of the closing sign. */
  take(bytes: Buffer, end: number, isClosing: boolean): void {
    const text = bytes.toString('utf8', this.from, end);
    const isEmpty = isBlank(text);
    this.value ??= this.isList ? [] : {};
    if (this.isChildDone) {
      if (!isEmpty) throw malformed();
    } else if (isEmpty) {
      if (!isClosing || this.needsChild) throw malformed();
    } else this.add(JSON.parse(this.isList ? `[${text}]` : `{${text}}`) as unknown[] | Record<string, unknown>);
    this.isChildDone = false;
    this.needsChild = !isClosing;
    this.from = end + 1;
  }

  /** A child begins at `at` that will be parsed by itself: what is before it is its name, or nothing. */
  expect(bytes: Buffer, at: number): void {
    if (this.lastComma >= this.from) this.take(bytes, this.lastComma, false);
    this.value ??= this.isList ? [] : {};
    const text = bytes.toString('utf8', this.from, at);
    if (this.isChildDone) throw malformed();
    if (!this.isList) [this.field] = Object.keys(JSON.parse(`{${text}0}`) as object);
    else if (!isBlank(text)) throw malformed();
  }

  /** The expected child has ended at `end`. */
  attach(child: unknown, end: number): void {
    if (Array.isArray(this.value)) this.value.push(child);
    else if (this.value && this.field !== undefined) setField(this.value, this.field, child);
    this.isChildDone = true;
    this.from = end + 1;
  }

  private add(parsed: unknown[] | Record<string, unknown>): void {
    if (Array.isArray(this.value) && Array.isArray(parsed)) for (const item of parsed) this.value.push(item);
    else if (isPlainObject(this.value))
      for (const [name, value] of Object.entries(parsed)) setField(this.value, name, value);
  }
}

/** Reads a large JSON text in slices, so that others run meanwhile. Throws a SyntaxError for what is not JSON. */
export class IncrementalJsonParser {
  private readonly pace = new TimeSlice();
  private readonly open: Open[] = [];
  /** How many of `open` are parsed by themselves; those inside are still text of the innermost of them. */
  private expected = 0;
  private parsedTo = 0;
  private nodes = 0;
  private whole: { value: unknown; end: number } | undefined;

  constructor(
    private readonly bytes: Buffer,
    private readonly limits: SliceLimits,
    private readonly sliceBytes = PART_BYTES,
  ) {}

  async parse(): Promise<unknown> {
    const { bytes } = this;
    let lookAt = LOOK_EVERY;
    let inString = false;
    for (let at = 0; at < bytes.length; at += 1) {
      if (at >= lookAt) {
        lookAt = at + LOOK_EVERY;
        if (this.pace.isDue) await this.pace.rest();
      }
      const sign = bytes[at];
      if (inString) {
        if (sign === Sign.backslash) at += 1;
        else if (sign === Sign.quote) inString = false;
      } else if (sign === Sign.quote) inString = true;
      else if (sign === Sign.comma) this.onComma(at);
      else if (sign === Sign.openList || sign === Sign.openObject) this.onOpen(at, sign === Sign.openList);
      else if (sign === Sign.closeList || sign === Sign.closeObject) this.onClose(at, sign === Sign.closeList);
    }
    if (this.open.length > 0) throw malformed();
    if (!this.whole) return JSON.parse(bytes.toString()) as unknown;
    if (!isBlank(bytes.toString('utf8', this.whole.end + 1))) throw malformed();
    return this.whole.value;
  }

  private count(): void {
    this.nodes += 1;
    if (this.nodes > this.limits.nodes) throw invalid('', `must not hold more than ${this.limits.nodes} values`);
  }

  private onComma(at: number): void {
    this.count();
    const inner = this.open.at(-1);
    if (!inner) throw malformed();
    if (inner.isChildDone) inner.take(this.bytes, at, false);
    inner.lastComma = at;
    if (at - this.parsedTo >= this.sliceBytes) this.parseUpTo();
  }

  private onOpen(at: number, isList: boolean): void {
    this.count();
    if (this.whole) throw malformed();
    // The check of the value names the place that is too deep; this only bounds the reading.
    if (this.open.length >= this.limits.depth + SPARE_LEVELS)
      throw invalid('', `is nested deeper than ${this.limits.depth} levels`);
    if (this.open.length === 0 && !isBlank(this.bytes.toString('utf8', 0, at))) throw malformed();
    this.open.push(new Open(isList, at));
  }

  private onClose(at: number, isList: boolean): void {
    const ended = this.open.pop();
    if (ended?.isList !== isList) throw malformed();
    const parent = this.open.at(-1);
    // It is a part of what its parent still has as text.
    if (parent && this.open.length >= this.expected) return;
    ended.take(this.bytes, at, true);
    this.expected = this.open.length;
    this.parsedTo = at;
    if (parent) {
      parent.attach(ended.value, at);
      this.expected = this.open.length;
    } else this.whole = { value: ended.value, end: at };
  }

  /** Parses all that is whole: of each open list or object up to its last comma. */
  private parseUpTo(): void {
    const inner = this.open.length - 1;
    for (let level = this.expected; level <= inner; level += 1) {
      const parent = this.open[level - 1];
      const child = this.open[level];
      if (parent && child) parent.expect(this.bytes, child.from - 1);
    }
    const innermost = this.open[inner];
    if (innermost && innermost.lastComma >= innermost.from) innermost.take(this.bytes, innermost.lastComma, false);
    this.expected = inner + 1;
    this.parsedTo = innermost?.lastComma ?? this.parsedTo;
  }
}
