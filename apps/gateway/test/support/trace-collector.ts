import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@switchyard/testing';

export interface SeenSpan {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, unknown>;
  failed: boolean;
}

interface WireValue {
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: WireValue[] };
}
interface WireAttribute {
  key: string;
  value: WireValue;
}
interface WireSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes?: WireAttribute[];
  status?: { code?: number };
}
interface WireTraces {
  resourceSpans: { resource: { attributes: WireAttribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

const valueOf = (value: WireValue): unknown => {
  if (value.arrayValue) return value.arrayValue.values.map(valueOf);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
};

const recordOf = (attributes: WireAttribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

/** The receiving end of OTLP over HTTP, as far as a test needs it: it takes what real exporters send. */
export class TraceCollector {
  readonly spans: SeenSpan[] = [];
  /** All that was sent, as it was sent. */
  readonly texts: string[] = [];
  private server: Server | undefined;

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.texts.push(text);
        if (request.url === '/v1/traces') this.take(JSON.parse(text) as WireTraces);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  close(): void {
    this.server?.close().closeAllConnections();
  }

  of(traceId: string): SeenSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /**
   * The spans of a trace once every service has told its part: each exports on its own time, so the
   * wanted ones (`service: name`, as often as said) must be there and none may hang on an unseen one.
   */
  async whole(traceId: string, expected: Record<string, number>): Promise<SeenSpan[]> {
    return until(() => {
      const spans = this.of(traceId);
      const ids = new Set(spans.map(({ spanId }) => spanId));
      const names = spans.map(({ service, name }) => `${service}: ${name}`);
      const missing = Object.entries(expected).filter(
        ([name, times]) => names.filter((each) => each === name).length < times,
      );
      const loose = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId)).slice(1);
      if (missing.length + loose.length > 0) throw new Error(`missing: ${JSON.stringify({ missing, loose })}`);
      return spans;
    });
  }

  private take(traces: WireTraces): void {
    for (const { resource, scopeSpans } of traces.resourceSpans) {
      const service = String(recordOf(resource.attributes)['service.name']).replace('switchyard-', '');
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          service,
          name: span.name,
          kind: span.kind,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          attributes: recordOf(span.attributes),
          failed: span.status?.code === 2,
        });
      }
    }
  }
}
