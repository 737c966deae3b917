import { AsyncLocalStorage } from 'node:async_hooks';

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

/** Of a process with several services: each has its own tracer, so that its spans have its name. */
interface TracerScope {
  tracer: Tracer | null;
}
let scopes: AsyncLocalStorage<TracerScope> | null = null;

export function installTracer(installed: Tracer | null): void {
  const scope = scopes?.getStore();
  if (scope) scope.tracer = installed;
  else tracer = installed;
}

/**
 * Starts a service that shares its process: its work, now and later, has its own tracer. This costs each promise a
 * little, so call it only if traces are on.
 */
export function inTracerScope<T>(start: () => T): T {
  scopes ??= new AsyncLocalStorage();
  return scopes.run({ tracer: null }, start);
}

const currentTracer = (): Tracer | null => (scopes === null ? tracer : (scopes.getStore()?.tracer ?? tracer));

/** Check first on hot paths: a process without tracing pays a comparison or two. */
export const isTracing = (): boolean => currentTracer() !== null;

/** Null if tracing is off. The caller ends the span. */
export const startSpan = (name: string, options: SpanOptions): Span | null =>
  currentTracer()?.start(name, options) ?? null;

/** As `startSpan`, but only inside another span. */
export const startInnerSpan = (name: string, options: SpanOptions): Span | null =>
  currentTracer()?.around() ? startSpan(name, options) : null;

export const aroundSpan = (): Span | undefined => currentTracer()?.around();

export function within<T>(span: Span | null, work: () => T): T {
  const current = span && currentTracer();
  return span && current ? current.within(span, work) : work();
}

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
