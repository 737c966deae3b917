export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type SpanValue = string | number | boolean | readonly string[];
/** What is undefined is left out. */
export type SpanAttributes = Readonly<Record<string, SpanValue | undefined>>;

/** One piece of work within a trace. */
export interface Span {
  /** Continues the trace in another process. */
  readonly traceparent: string;
  /** False where the trace is not recorded: nothing of the span is ever sent. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  /** Long attributes. They are kept apart until the span is sent, within a bound: the oldest of all are given up. */
  carry(attributes: Readonly<Record<string, string | undefined>>): void;
  event(name: string): void;
  fail(error: unknown): void;
  /** Now, or at a moment that has passed (milliseconds of the epoch). */
  end(at?: number): void;
}

export interface SpanOptions {
  kind: SpanKind;
  /** The work that this one belongs to. Without it: the span around it; without that: a trace of its own. */
  parent?: string;
  attributes?: SpanAttributes;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** Whatever begins within `work` finds the span as the one around it. */
  within<T>(span: Span, work: () => T): T;
  around(): Span | undefined;
}

/**
 * The one tracer of the process, or none: then nothing of this file does anything. It is no argument, as a log is none:
 * it decides nothing, and only watches.
 */
let tracer: Tracer | null = null;

export function installTracer(installed: Tracer | null): void {
  tracer = installed;
}

/** Ask first on hot paths: a process that traces nothing then pays for one comparison. */
export const isTracing = (): boolean => tracer !== null;

/** Null while nothing is traced. Who starts a span ends it. */
export const startSpan = (name: string, options: SpanOptions): Span | null => tracer?.start(name, options) ?? null;

/** As `startSpan`, for work that is worth a span only as a part of something else. */
export const startInnerSpan = (name: string, options: SpanOptions): Span | null =>
  tracer?.around() ? startSpan(name, options) : null;

export const aroundSpan = (): Span | undefined => tracer?.around();

export const within = <T>(span: Span | null, work: () => T): T =>
  tracer === null || span === null ? work() : tracer.within(span, work);

/** Runs `work` inside a span that ends with it. */
export async function traced<T>(span: Span | null, work: () => Promise<T>): Promise<T> {
  if (span === null) return work();
  try {
    return await within(span, work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const NOTHING = /^0+$/;

export interface TraceContext {
  traceId: string;
  spanId: string;
  flags: number;
}

/** Reads the W3C form; null for what is none. */
export function readTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId)) return null;
  return { traceId, spanId, flags: parseInt(flags, 16) };
}

export const traceIdOf = (traceparent: string | undefined): string | undefined => readTraceparent(traceparent)?.traceId;
