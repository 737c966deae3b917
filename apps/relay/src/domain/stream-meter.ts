import { isPlainObject } from '@switchyard/kernel';
import { spansOf } from './edit-json-text';
import { PlainEvents, plainPiece } from './delta-fast-path';
import { dataOf, endOfEvent, isDone } from './sse-splitter';
import { ReportedUsage, plausibleUsage, findUsage } from './upstream-usage';

/** Texts of a chunk that a model wrote, in any of the wire's dialects; escapes are left for later. */
const WRITTEN = /"(?:content|reasoning_content|reasoning|refusal|arguments|text|delta)": ?"((?:[^"\\]|\\.)*)"/g;
const MODEL = /"model": ?"(?:[^"\\]|\\.)*"/;
const FINISH = /"finish_reason": ?"[^"]|"type": ?"response\.(?:completed|incomplete|failed)"/g;
/** Events of the Responses API that only repeat what pieces have said before. */
const REPEATS = /"type": ?"response\.(?:[a-z_]+\.)*(?:added|done|created|in_progress|completed|incomplete|failed)"/;

export interface TapOptions {
  /** The name that callers know the model by. */
  modelId: string;
  /** Whether the caller asked for the usage chunk that we asked for anyway. */
  showUsage: boolean;
  /** How many answers the stream carries, each with an end of its own. */
  answers: number;
}

/**
 * Listens to a stream of completions while it passes: notes usage and the text that was seen, puts the catalogue's name
 * in the place of the upstream's, and withholds the usage chunk from who did not ask. Everything else stays as it is.
 */
export class StreamMeter {
  usage: ReportedUsage | null = null;
  /** The upstream said how the answer ended: from here on a lost connection loses nothing that counts. */
  isFinished = false;
  /** The end of the stream as the upstream says it: kept back, for the caller gets it when the call is paid for. */
  done: Buffer = Buffer.alloc(0);
  private endings = 0;
  private readonly plain = new PlainEvents();
  /** The rewritten text around a delta; null if it is unchanged. */
  private renamed: { before: string; after: string } | null = null;
  private readonly written: string[] = [];
  private readonly modelField: string;

  constructor(private readonly options: TapOptions) {
    this.modelField = Buffer.from(`"model":${JSON.stringify(options.modelId)}`, 'utf8').toString('latin1');
  }

  /** Whole events as the caller gets them: the same bytes mostly. */
  pass(events: Buffer): Buffer {
    const text = events.toString('latin1');
    let passed = '';
    let unchanged = 0;
    const change = (start: number, end: number, shown: string): void => {
      passed += text.slice(unchanged, start) + shown;
      unchanged = end;
    };
    for (let start = 0, end = 0; start < text.length; start = end) {
      const piece = this.plain.find(text, start);
      if (piece === null) {
        end = endOfEvent(text, start);
        const event = text.slice(start, end);
        const shown = this.passEvent(event);
        if (shown !== event) change(start, end, shown);
      } else {
        ({ end } = this.plain);
        if (piece !== '') this.written.push(piece);
        if (this.renamed) change(start, end, this.renamed.before + piece + this.renamed.after);
      }
    }
    return unchanged === 0 ? events : Buffer.from(passed + text.slice(unchanged), 'latin1');
  }

  /** Nothing where the event is withheld. Events are latin1 text. */
  private passEvent(event: string): string {
    if (isDone(event)) {
      this.isFinished = true;
      this.done = Buffer.from(event, 'latin1');
      return '';
    }
    const piece = plainPiece(event);
    this.readEvent(event, piece);
    const endings = event.match(FINISH)?.length ?? 0;
    if (!this.isFinished) this.endings += endings;
    if (this.endings >= this.options.answers) this.isFinished = true;
    const chunk = event.includes('"usage"') ? parse(dataOf(event)) : null;
    const usage = findUsage(chunk);
    if (usage) this.usage = usage;
    const isUsageOnly = isPlainObject(chunk) && Array.isArray(chunk['choices']) && chunk['choices'].length === 0;
    if (usage && isUsageOnly && !this.options.showUsage) return '';
    if (piece && !usage && endings === 0) this.learn(event, piece);
    return this.rename(event);
  }

  private rename(text: string): string {
    return text.includes(this.modelField) ? text : text.replace(MODEL, () => this.modelField);
  }

  /**
   * No field can begin or end within the piece, which holds no quote: what stands before it and after it is renamed
   * alone.
   */
  private learn(event: string, piece: { from: number; to: number }): void {
    this.plain.learn(event, piece);
    this.renamed = null;
    if (this.rename(event) === event) return;
    const before = event.slice(0, piece.from);
    const after = event.slice(piece.to);
    const shown = this.rename(before);
    this.renamed = shown === before ? { before, after: this.rename(after) } : { before: shown, after };
  }

  /** Most events are one plain piece of text; those are cut out without a regular expression. */
  private readEvent(event: string, piece: { from: number; to: number } | null): void {
    if (piece === null && REPEATS.test(event)) return;
    if (piece === null) for (const match of event.matchAll(WRITTEN)) if (match[1]) this.written.push(match[1]);
    if (piece && piece.to > piece.from) this.written.push(event.slice(piece.from, piece.to));
  }

  /** The text that was seen, for a count of our own when the upstream gives none. */
  text(): string {
    return this.written.map((raw) => unescape(Buffer.from(raw, 'latin1').toString('utf8'))).join('');
  }

  /** A quick guess of the tokens seen so far: most upstreams send one a chunk. */
  get seenTokens(): number {
    return plausibleUsage(this.usage)?.completionTokens ?? this.written.length;
  }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

function unescape(raw: string): string {
  const value = raw.includes('\\') ? parse(`"${raw}"`) : raw;
  return typeof value === 'string' ? value : raw;
}

/** The same for a whole answer: the bytes with the catalogue's name of the model, of a JSON object. */
export function renameModel(body: Buffer, modelId: string): Buffer {
  const span = modelIn(body);
  if (!span) return body;
  const name = Buffer.from(JSON.stringify(modelId));
  if (name.equals(body.subarray(span.start, span.end))) return body;
  return Buffer.concat([body.subarray(0, span.start), name, body.subarray(span.end)]);
}

const BEGINS = /^\s*\{[^[{]*?"model"\s*:\s*("(?:[^"\\]|\\.)*")/d;
/** Embeddings name it behind their vectors, of which there may be megabytes. */
const ENDS = /"model"\s*:\s*("(?:[^"\\]|\\.)*")\s*(?:,\s*"usage"\s*:\s*\{[^{}]*\}\s*)?\}\s*$/d;
const NEAR_BYTES = 1024;

/**
 * Where the name stands: mostly near the beginning or the end, with nothing around it that could have such a field too.
 */
function modelIn(body: Buffer): { start: number; end: number } | null {
  const near = BEGINS.exec(body.toString('latin1', 0, NEAR_BYTES))?.indices?.[1];
  if (near) return { start: near[0], end: near[1] };
  const from = Math.max(0, body.length - NEAR_BYTES);
  const last = ENDS.exec(body.toString('latin1', from))?.indices?.[1];
  if (last) return { start: from + last[0], end: from + last[1] };
  const text = body.toString('latin1');
  if (!/^\s*\{/.test(text) || !text.includes('"model"')) return null;
  for (const span of spansOf(text)) if (span.key === 'model' && text[span.start] === '"') return span;
  return null;
}
