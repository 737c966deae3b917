import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { CarriedContent } from './span-content-limit';
import { ContentExporter } from './content-exporter';

const spanOf = (spanId: string): ReadableSpan =>
  ({ attributes: { own: 1 }, spanContext: () => ({ spanId, traceId: 't', traceFlags: 1 }) }) as unknown as ReadableSpan;

function receivedBy(error?: Error): { requests: ReadableSpan[][]; exporter: SpanExporter } {
  const requests: ReadableSpan[][] = [];
  const exporter: SpanExporter = {
    export: (spans, done) => {
      requests.push(spans);
      done({ code: error ? 1 : 0, error });
    },
    shutdown: () => Promise.resolve(),
  };
  return { requests, exporter };
}

const send = (exporter: ContentExporter, spans: ReadableSpan[]): Promise<Error | undefined> =>
  new Promise((resolve) => {
    exporter.export(spans, ({ error }) => {
      resolve(error);
    });
  });

describe('content on its way to the collector', () => {
  const ids = Array.from({ length: 10 }, (_, i) => `s${i}`);

  it('joins its span when that is sent, a bounded amount at a time', async () => {
    const carried = new CarriedContent();
    const { requests, exporter } = receivedBy();
    for (const id of ids.slice(1)) carried.put(id, { said: id.repeat(100_000) });
    expect(await send(new ContentExporter(exporter, carried), ids.map(spanOf))).toBeUndefined();
    expect(requests.flat().map((span) => span.spanContext().spanId)).toEqual(ids);
    expect(requests.map((spans) => spans.length)).toEqual([3, 2, 2, 2, 1]);
    expect(requests.flat()[0]?.attributes).toEqual({ own: 1 });
    expect(requests.flat()[1]?.attributes).toEqual({ own: 1, said: 's1'.repeat(100_000) });
    expect(ids.map((id) => carried.lengthOf(id))).toEqual(ids.map(() => 0));
  });

  it('goes as one request where there is none', async () => {
    const { requests, exporter } = receivedBy();
    await send(new ContentExporter(exporter, new CarriedContent()), ids.map(spanOf));
    expect(requests.map((spans) => spans.length)).toEqual([10]);
  });

  it('is given up where the collector fails, and not kept', async () => {
    const carried = new CarriedContent();
    const { requests, exporter } = receivedBy(new Error('away'));
    for (const id of ids) carried.put(id, { said: 'x'.repeat(400_000) });
    expect(await send(new ContentExporter(exporter, carried), ids.map(spanOf))).toEqual(new Error('away'));
    expect(requests).toHaveLength(1);
    expect(ids.map((id) => carried.lengthOf(id))).toEqual(ids.map(() => 0));
  });

  it('is bounded while it waits: the oldest goes first', () => {
    const carried = new CarriedContent(1000);
    for (const id of ids) carried.put(id, { said: 'x'.repeat(300) });
    expect(ids.filter((id) => carried.lengthOf(id) > 0)).toEqual(['s7', 's8', 's9']);
    carried.put('s9', { more: 'y' });
    expect(carried.take('s9')).toEqual({ said: 'x'.repeat(300), more: 'y' });
    expect(carried.take('s9')).toBeUndefined();
  });
});
