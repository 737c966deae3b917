import { installTracer } from '@switchyard/kernel';
import { CarriedContent } from './span-content-limit';
import { ContentExporter } from './content-exporter';
import { OtlpTracer } from './otlp-tracer';

export interface TracingOptions {
  service: string;
  instance: string;
  version?: string;
  /** The collector's base address; `/v1/traces` is added. */
  endpoint: string;
  headers?: Readonly<Record<string, string>>;
  /** Of the traces that begin here, the share that is recorded. Callers decide for theirs. */
  ratio: number;
}

export interface Tracing {
  /** Sends what is not sent yet. */
  stop(): Promise<void>;
}

/** As OpenTelemetry writes them: `name=value,name=value`, percent-encoded. */
export const headersFrom = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? '').split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]];
    }),
  );

/** The process's Tracing, or null while traces are off. */
export const TRACING = Symbol('TRACING');

const LAST_WORDS_MS = 3000;

/** Turns traces on for this process. The packages are loaded only then. */
export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const [{ TracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler }, otlp, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const carried = new CarriedContent();
  const exporter = new ContentExporter(
    new otlp.OTLPTraceExporter({
      url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
      headers: { ...options.headers },
    }),
    carried,
  );
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': `switchyard-${options.service}`,
      'service.namespace': 'switchyard',
      'service.instance.id': options.instance,
      ...(options.version === undefined ? {} : { 'service.version': options.version }),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000, maxQueueSize: 8192 })],
  });
  installTracer(new OtlpTracer(provider.getTracer('switchyard'), carried));
  return {
    stop: async () => {
      installTracer(null);
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
