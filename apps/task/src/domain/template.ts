import { OVERSIZED_FACTOR, SIZES, TEMPLATE_EXPRESSIONS_MAX, shownBytes } from '@switchyard/contracts';
import { AppError, jsonBytes } from '@switchyard/kernel';
import { filterBytes, textBytes } from './filter-output-size';
import { FILTER_NAMES, applyFilter, asText, isFilter } from './template-filters';
import { TemplateOutputLimit, inOneGo } from './template-output-limit';
import { TemplatePath, lookUp } from './template-path';

/**
 * Templates of tasks: `{{ path | filter }}` in a text. A path reads own properties; filters are a fixed list;
 * nothing is evaluated and nothing that was filled in is read again.
 */
interface Call {
  name: string;
  args: unknown[];
}

type Head = { path: TemplatePath } | { literal: unknown };

export interface Expression {
  head: Head;
  filters: Call[];
}

export type TemplatePart = string | Expression;

export class TemplateError extends Error {}

const TOKENS =
  /\s*(?:(?<name>[A-Za-z_$][\w$-]*)|(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<mark>[.|:,()[\]]))\s*/y;

interface Token {
  kind: 'name' | 'number' | 'text' | 'mark';
  text: string;
}

const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function tokens(source: string): Token[] {
  const found: Token[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < source.length) {
    const start = TOKENS.lastIndex;
    const groups = TOKENS.exec(source)?.groups;
    if (!groups) throw new TemplateError(`cannot be read at "${source.slice(start, start + 20).trim()}"`);
    const kind = (['name', 'number', 'text', 'mark'] as const).find((name) => groups[name] !== undefined);
    if (kind) found.push({ kind, text: groups[kind] ?? '' });
  }
  return found;
}

const unquoted = (text: string): string =>
  text.slice(1, -1).replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char));

class TokenReader {
  private at = 0;

  constructor(private readonly list: Token[]) {}

  get ended(): boolean {
    return this.at >= this.list.length;
  }

  take(mark?: string): Token | null {
    const token = this.list[this.at];
    if (!token || (mark !== undefined && (token.kind !== 'mark' || token.text !== mark))) return null;
    this.at += 1;
    return token;
  }

  need(mark: string): void {
    if (!this.take(mark)) throw new TemplateError(`needs "${mark}" after "${this.list[this.at - 1]?.text ?? ''}"`);
  }

  literal(): unknown {
    const token = this.take();
    if (token?.kind === 'number') return Number(token.text);
    if (token?.kind === 'text') return unquoted(token.text);
    if (token?.kind === 'name' && LITERALS.has(token.text)) return LITERALS.get(token.text);
    throw new TemplateError(
      `has an argument that is neither a text in quotes, a number, true, false nor null: "${token?.text ?? ''}"`,
    );
  }
}

function readHead(reader: TokenReader): Head {
  const first = reader.take();
  if (first?.kind === 'text') return { literal: unquoted(first.text) };
  if (first?.kind === 'number') return { literal: Number(first.text) };
  if (first?.kind !== 'name') throw new TemplateError('must begin with a path such as execution.inputs.name');
  if (LITERALS.has(first.text)) return { literal: LITERALS.get(first.text) };
  const path: TemplatePath = [first.text];
  for (;;) {
    if (reader.take('.')) {
      const part = reader.take();
      if (part?.kind !== 'name' && part?.kind !== 'number')
        throw new TemplateError('has a dot without a name behind it');
      path.push(...part.text.split('.'));
    } else if (reader.take('[')) {
      const part = reader.take();
      if (part?.kind === 'number') path.push(Number(part.text));
      else if (part?.kind === 'text') path.push(unquoted(part.text));
      else throw new TemplateError('has brackets that hold neither a number nor a text in quotes');
      reader.need(']');
    } else return { path };
  }
}

function readFilter(reader: TokenReader): Call {
  const name = reader.take();
  if (name?.kind !== 'name') throw new TemplateError('has a | without a filter behind it');
  if (!isFilter(name.text))
    throw new TemplateError(`uses the unknown filter "${name.text}"; there are ${FILTER_NAMES.join(', ')}`);
  const call: Call = { name: name.text, args: [] };
  const opened = reader.take('(') !== null;
  if (opened && reader.take(')')) return call;
  if (opened || reader.take(':')) {
    do call.args.push(reader.literal());
    while (reader.take(','));
  }
  if (opened) reader.need(')');
  return call;
}

function readExpression(source: string): Expression {
  const reader = new TokenReader(tokens(source));
  const expression: Expression = { head: readHead(reader), filters: [] };
  while (!reader.ended) {
    reader.need('|');
    expression.filters.push(readFilter(reader));
  }
  return expression;
}

/** Where the expression that begins at `from` ends; quotes may hold braces. */
function endOf(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '}' && text.charAt(at + 1) === '}') return at;
  }
  return -1;
}

/** Maximum number of expressions in one text. */
export interface TextLimits {
  bytes: number;
  expressions: number;
}

/** Of a text that is saved. */
export const SAVED_TEXT: TextLimits = { bytes: SIZES.templateText, expressions: TEMPLATE_EXPRESSIONS_MAX };

/** Texts of before may be larger than can be saved now, and still run. */
const STORED_TEXT: TextLimits = {
  bytes: SAVED_TEXT.bytes * OVERSIZED_FACTOR,
  expressions: SAVED_TEXT.expressions * OVERSIZED_FACTOR,
};

/** Throws TemplateError for what is no template, and for what is too large to be read. */
export function parseTemplate(text: string, limits = STORED_TEXT): TemplatePart[] {
  if (textBytes(text, limits.bytes) > limits.bytes)
    throw new TemplateError(`is over ${shownBytes(limits.bytes)}, as much as a text with templates may have`);
  let remaining = limits.expressions;
  const parts: TemplatePart[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    const close = endOf(text, open + 2);
    remaining -= 1;
    if (remaining < 0) throw new TemplateError(`has more than ${limits.expressions} expressions`);
    if (close === -1) throw new TemplateError('has {{ without }}');
    if (open > at) parts.push(text.slice(at, open));
    parts.push(readExpression(text.slice(open + 2, close)));
    at = close + 2;
  }
  if (at < text.length || parts.length === 0) parts.push(text.slice(at));
  return parts;
}

export const hasExpression = (text: string): boolean => text.includes('{{');

/** Evaluating an expression has a cost for every result. */
const EXPRESSION_WORK = 64;

function* valueOf(expression: Expression, scope: unknown, meter: TemplateOutputLimit): Generator<void, unknown> {
  const { valueBytes } = meter.limits;
  meter.work(EXPRESSION_WORK);
  let value = 'path' in expression.head ? lookUp(scope, expression.head.path) : expression.head.literal;
  for (const { name, args } of expression.filters) {
    meter.value(filterBytes(name, value, args, valueBytes));
    value = applyFilter(name, value, args);
    // Some characters grow by a filter; a text that was parsed may be larger as a value.
    if (typeof value === 'string') meter.value(textBytes(value, valueBytes));
    if (meter.isSliceOver) yield;
  }
  return value;
}

/** Texts are checked when they are saved: one that cannot be read now was saved by other rules. */
function parsedToFill(text: string): TemplatePart[] {
  try {
    return parseTemplate(text);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new AppError('VALIDATION_ERROR', `A text of the step cannot be filled in: it ${error.message}.`);
  }
}

/**
 * A text that is exactly one expression keeps the value's type; in all others values become text. The size of the
 * result is counted before it is built.
 */
export function* filling(text: string, scope: unknown, meter: TemplateOutputLimit): Generator<void, unknown> {
  const { valueBytes, stepBytes } = meter.limits;
  if (!hasExpression(text)) {
    meter.step(textBytes(text, stepBytes));
    return text;
  }
  meter.value(text.length);
  const parts = parsedToFill(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') {
    const value = yield* valueOf(only, scope, meter);
    const bytes = jsonBytes(value, valueBytes);
    meter.value(bytes);
    meter.step(bytes);
    return value;
  }
  let bytes = 0;
  const texts: string[] = [];
  for (const part of parts) {
    const value = typeof part === 'string' ? part : yield* valueOf(part, scope, meter);
    const size = textBytes(value, valueBytes);
    bytes += size;
    meter.value(size);
    if (bytes > valueBytes) meter.value(bytes);
    meter.step(size);
    texts.push(asText(value));
    if (meter.isSliceOver) yield;
  }
  return texts.join('');
}

const GENEROUS = { valueBytes: 1024 * 1024, stepBytes: 1024 * 1024 };

export const fillIn = (text: string, scope: unknown, limits = GENEROUS): unknown =>
  inOneGo(filling(text, scope, new TemplateOutputLimit(limits)));
