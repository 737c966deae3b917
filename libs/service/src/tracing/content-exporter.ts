import { setImmediate } from 'node:timers/promises';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { CarriedContent } from './span-content-limit';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** Characters of content in one request: it is written as JSON in one go, and collectors bound what they take. */
const REQUEST_CHARACTERS = 512 * 1024;

/** Gives spans the long attributes that wait for them, and sends few of those at a time. */
export class ContentExporter implements SpanExporter {
  constructor(
    private readonly exporter: SpanExporter,
    private readonly carried: CarriedContent,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    if (!spans.some((span) => this.lengthOf(span) > 0)) {
      this.exporter.export(spans, done);
      return;
    }
    void this.inParts(spans).then(done);
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  /** After a part that failed the rest is not tried: the collector is away. */
  private async inParts(spans: readonly ReadableSpan[]): Promise<ExportResult> {
    const part = spans.slice(0, this.partOf(spans));
    const rest = spans.slice(part.length);
    for (const span of part)
      for (const [name, text] of Object.entries(this.carried.take(span.spanContext().spanId) ?? {}))
        span.attributes[name] = text;
    const result = await new Promise<ExportResult>((resolve) => this.exporter.export(part, resolve));
    if (rest.length === 0) return result;
    if (result.error !== undefined) {
      for (const span of rest) this.carried.take(span.spanContext().spanId);
      return result;
    }
    await setImmediate();
    return this.inParts(rest);
  }

  /** How many of the spans go in one request: at least one. */
  private partOf(spans: readonly ReadableSpan[]): number {
    let length = 0;
    const last = spans.findIndex((span, at) => {
      length += this.lengthOf(span);
      return at > 0 && length > REQUEST_CHARACTERS;
    });
    return last === -1 ? spans.length : last;
  }

  private lengthOf(span: ReadableSpan): number {
    return this.carried.lengthOf(span.spanContext().spanId);
  }
}
