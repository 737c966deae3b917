import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind as OtelKind,
  SpanStatusCode,
  type Tracer as OtelTracer,
  trace,
} from '@opentelemetry/api';
import {
  AppError,
  type Span,
  type SpanAttributes,
  type SpanKind,
  type SpanOptions,
  type Tracer,
  readTraceparent,
} from '@switchyard/kernel';
import type { CarriedContent, LongAttributes } from './span-content-limit';

const KINDS: Record<SpanKind, OtelKind> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
};

const present = (attributes: SpanAttributes): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  );

/** The parent of a span, read from the wire. */
function contextOf(traceparent: string): Context {
  const read = readTraceparent(traceparent);
  if (!read) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: read.traceId,
    spanId: read.spanId,
    traceFlags: read.flags,
    isRemote: true,
  });
}

class RunningSpan implements Span {
  readonly traceparent: string;

  constructor(
    private readonly span: OtelSpan,
    private readonly carried: CarriedContent,
  ) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
  }

  get isRecorded(): boolean {
    return this.span.isRecording();
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(present(attributes));
  }

  carry(attributes: Readonly<Record<string, string | undefined>>): void {
    const given = Object.entries(attributes).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
    this.carried.put(this.span.spanContext().spanId, Object.fromEntries(given) as LongAttributes);
  }

  event(name: string): void {
    this.span.addEvent(name);
  }

  /** The code, never the message of an unknown error: it may hold what a user wrote. */
  fail(error: unknown): void {
    const isAppError = error instanceof AppError;
    const type = isAppError ? error.code : error instanceof Error ? error.name : 'Error';
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR, message: isAppError ? error.message : type });
  }

  end(at?: number): void {
    this.span.end(at);
  }
}

/** Spans of OpenTelemetry, in the house's own few words. */
export class OtlpTracer implements Tracer {
  private readonly running = new AsyncLocalStorage<Span>();

  constructor(
    private readonly otel: OtelTracer,
    private readonly carried: CarriedContent,
  ) {}

  start(name: string, { kind, parent, attributes }: SpanOptions): Span {
    const traceparent = parent ?? this.running.getStore()?.traceparent;
    return new RunningSpan(
      this.otel.startSpan(
        name,
        { kind: KINDS[kind], attributes: attributes ? present(attributes) : {} },
        traceparent === undefined ? ROOT_CONTEXT : contextOf(traceparent),
      ),
      this.carried,
    );
  }

  within<T>(span: Span, work: () => T): T {
    return this.running.run(span, work);
  }

  around(): Span | undefined {
    return this.running.getStore();
  }
}
