import { Metrics } from './metrics';

const samplesOf = async (metrics: Metrics): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => /^(?:switchyard_|# TYPE switchyard_)/.test(line));

it('exports the limit of a bounded resource, and what it refused, under names of their own', async () => {
  const metrics = new Metrics('agent');
  let refused = 2;
  metrics.bounded(
    { name: 'switchyard_slots', help: 'Slots.', measures: ['used', 'limit', 'refused'], labels: ['kind'] },
    (set) => set({ used: 3, limit: 10, refused }, { kind: 'held' }),
  );
  const first = [
    '# TYPE switchyard_slots gauge',
    'switchyard_slots{kind="held",service="agent"} 3',
    '# TYPE switchyard_slots_limit gauge',
    'switchyard_slots_limit{kind="held",service="agent"} 10',
    '# TYPE switchyard_slots_refused_total counter',
    'switchyard_slots_refused_total{kind="held",service="agent"} 2',
  ];
  expect(await samplesOf(metrics)).toEqual(first);
  refused = 5;
  expect((await samplesOf(metrics)).at(-1)).toBe('switchyard_slots_refused_total{kind="held",service="agent"} 5');
});

it('counts what was refused where nothing else is measured', async () => {
  const metrics = new Metrics('event-bus');
  metrics.bounded({ name: 'switchyard_stream', help: 'Refused by the stream.', measures: ['refused'] }, (set) =>
    set({ refused: 4 }),
  );
  expect(await samplesOf(metrics)).toEqual([
    '# TYPE switchyard_stream_refused_total counter',
    'switchyard_stream_refused_total{service="event-bus"} 4',
  ]);
});

it('exports the limit of memory that the container has', async () => {
  const [limit] = (await samplesOf(new Metrics('key'))).filter((line) =>
    line.startsWith('switchyard_memory_limit_bytes'),
  );
  const constrained = process.constrainedMemory();
  const isLimited = constrained > 0 && constrained < Number.MAX_SAFE_INTEGER;
  expect(limit).toBe(isLimited ? `switchyard_memory_limit_bytes{service="key"} ${constrained}` : undefined);
});

it('leaves memory and processor time to the first service of a process, but not that the service runs', async () => {
  const text = await new Metrics('agent', { ofProcess: false }).text();
  expect(text).toMatch(/^process_start_time_seconds\{service="agent"\} \d+$/m);
  expect(text).not.toMatch(/process_(?:cpu|resident)|nodejs_/);
});
