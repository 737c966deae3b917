import { isPlainObject } from '@switchyard/kernel';
import { dataOf, isDone } from './sse-splitter';
import { ReportedUsage, believed, findUsage } from './upstream-usage';

/** Texts of a chunk that a model wrote, in any of the wire's dialects; escapes are left for later. */
const WRITTEN = /"(?:content|reasoning_content|reasoning|refusal|arguments|text|delta)": ?"((?:[^"\\]|\\.)*)"/g;
const PLAIN = '"delta":{"content":"';
const BACKSLASH = 92;
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
export class StreamTap {
  usage: ReportedUsage | null = null;
  /** The upstream said how the answer ended: from here on a lost connection loses nothing that counts. */
  isFinished = false;
  events = 0;
  private endings = 0;
  private readonly written: string[] = [];
  private readonly modelField: string;

  constructor(private readonly options: TapOptions) {
    this.modelField = Buffer.from(`"model":${JSON.stringify(options.modelId)}`, 'utf8').toString('latin1');
  }

  /** The event as the caller gets it, or null when it is withheld. Events are latin1 text. */
  pass(event: string): string | null {
    if (isDone(event)) {
      this.isFinished = true;
      return event;
    }
    this.events += 1;
    this.hear(event);
    if (!this.isFinished) this.endings += event.match(FINISH)?.length ?? 0;
    if (this.endings >= this.options.answers) this.isFinished = true;
    if (event.includes('"usage"')) {
      const chunk = parse(dataOf(event));
      const usage = findUsage(chunk);
      if (usage) this.usage = usage;
      const isUsageOnly = isPlainObject(chunk) && Array.isArray(chunk['choices']) && chunk['choices'].length === 0;
      if (usage && isUsageOnly && !this.options.showUsage) return null;
    }
    return event.includes(this.modelField) ? event : event.replace(MODEL, () => this.modelField);
  }

  /** Most events are one plain piece of text; those are cut out without a regular expression. */
  private hear(event: string): void {
    const at = event.indexOf(PLAIN);
    const end = at < 0 ? -1 : event.indexOf('"', at + PLAIN.length);
    const isPlain =
      end > 0 &&
      event.charCodeAt(end - 1) !== BACKSLASH &&
      !event.includes('"tool_calls"') &&
      !event.includes('"reasoning');
    if (!isPlain && REPEATS.test(event)) return;
    if (!isPlain) for (const match of event.matchAll(WRITTEN)) if (match[1]) this.written.push(match[1]);
    if (isPlain && end > at + PLAIN.length) this.written.push(event.slice(at + PLAIN.length, end));
  }

  /** The text that was seen, for a count of our own when the upstream gives none. */
  text(): string {
    return this.written.map((raw) => unescape(Buffer.from(raw, 'latin1').toString('utf8'))).join('');
  }

  /** A quick guess of the tokens seen so far: most upstreams send one a chunk. */
  get seenTokens(): number {
    return believed(this.usage)?.completionTokens ?? this.written.length;
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

/** The same for a whole answer: the bytes with the catalogue's name of the model. */
export function renameModel(body: Buffer, modelId: string): Buffer {
  const at = body.indexOf('"model"');
  if (at < 0) return body;
  const window = body.toString('latin1', at, at + 600);
  const found = /^"model"\s*:\s*"(?:[^"\\]|\\.)*"/.exec(window)?.[0];
  if (found === undefined) return body;
  const field = Buffer.from(`"model":${JSON.stringify(modelId)}`);
  if (field.equals(body.subarray(at, at + found.length))) return body;
  return Buffer.concat([body.subarray(0, at), field, body.subarray(at + found.length)]);
}
