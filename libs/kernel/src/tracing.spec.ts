import {
  type Span,
  type Tracer,
  inTracerScope,
  installTracer,
  isTracing,
  readTraceparent,
  startSpan,
  traceIdOf,
  traced,
} from './tracing';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('reads the form of the W3C, and nothing else', () => {
  expect(readTraceparent(`00-${TRACE}-b7ad6b7169203331-01`)).toEqual({
    traceId: TRACE,
    spanId: 'b7ad6b7169203331',
    flags: 1,
  });
  expect(traceIdOf(`00-${TRACE}-b7ad6b7169203331-00`)).toBe(TRACE);
  for (const text of [
    undefined,
    '',
    `00-${TRACE}-b7ad6b7169203331`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `01-${TRACE}-b7ad6b7169203331-01-more`,
  ])
    expect(readTraceparent(text)).toBeNull();
});

describe('without a tracer', () => {
  beforeEach(() => {
    installTracer(null);
  });

  test('nothing is traced, and work runs as it is', async () => {
    expect(isTracing()).toBe(false);
    expect(startSpan('work', { kind: 'internal' })).toBeNull();
    await expect(traced(null, () => Promise.resolve(7))).resolves.toBe(7);
  });
});

/** Names its spans after a service. */
const tracerOf = (service: string): Tracer => ({
  start: () => ({ traceparent: service }) as Span,
  within: (_, work) => work(),
  around: () => undefined,
});

test('each service of a process keeps its own tracer, in work that begins later too', async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const service = (name: string): Promise<unknown> =>
    inTracerScope(async () => {
      await Promise.resolve();
      installTracer(tracerOf(name));
      await begun;
      return startSpan('work', { kind: 'server' })?.traceparent;
    });
  const spans = [service('agent'), service('session')];
  begin();
  expect(await Promise.all(spans)).toEqual(['agent', 'session']);
  expect(isTracing()).toBe(false);
});
