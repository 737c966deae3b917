export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type SpanValue = string | number | boolean | readonly string[];
/** Undefined values are omitted. */
export type SpanAttributes = Readonly<Record<string, SpanValue | undefined>>;

export interface Span {
  /** Continues the trace in another process. */
  readonly traceparent: string;
  /** False if the trace is not sampled: the span is not sent. */
  readonly isRecorded: boolean;
  set(attributes: SpanAttributes): void;
  /** Adds long attributes. They are buffered until the span is sent, within a limit; the oldest are dropped. */
  carry(attributes: Readonly<Record<string, string | undefined>>): void;
  event(name: string): void;
  fail(error: unknown): void;
  /** Ends now, or at a past time (epoch milliseconds). */
  end(at?: number): void;
}

export interface SpanOptions {
  kind: SpanKind;
  /** The parent span. Default: the active span, or a new trace. */
  parent?: string;
  attributes?: SpanAttributes;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span;
  /** Makes the span the active one during `work`. */
  within<T>(span: Span, work: () => T): T;
  around(): Span | undefined;
}

/** The process's tracer. A global like the log, not an argument: it only observes. */
let tracer: Tracer | null = null;

export function installTracer(installed: Tracer | null): void {
  tracer = installed;
}

/** Check first on hot paths: a process without tracing pays one comparison. */
export const isTracing = (): boolean => tracer !== null;

/** Null if tracing is off. The caller ends the span. */
export const startSpan = (name: string, options: SpanOptions): Span | null => tracer?.start(name, options) ?? null;

/** As `startSpan`, but only inside another span. */
export const startInnerSpan = (name: string, options: SpanOptions): Span | null =>
  tracer?.around() ? startSpan(name, options) : null;

export const aroundSpan = (): Span | undefined => tracer?.around();

export const within = <T>(span: Span | null, work: () => T): T =>
  tracer === null || span === null ? work() : tracer.within(span, work);

/** Runs `work` and ends the span with it. */
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

/** Parses a W3C traceparent; null if it is malformed. */
export function readTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId)) return null;
  return { traceId, spanId, flags: parseInt(flags, 16) };
}

export const traceIdOf = (traceparent: string | undefined): string | undefined => readTraceparent(traceparent)?.traceId;
