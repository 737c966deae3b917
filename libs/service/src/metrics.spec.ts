import { Metrics, RENAMED_METRICS } from './metrics';

it('exports a renamed metric under its former name as well, with the same samples', async () => {
  const metrics = new Metrics('agent');
  metrics.gauge('switchyard_turn_slots', 'Turns.', ['kind']).set({ kind: 'held' }, 3);
  const lines = (await metrics.text()).split('\n').filter((line) => line.includes('kind="held"'));
  expect(lines).toEqual([
    'switchyard_turn_slots{kind="held",service="agent"} 3',
    'switchyard_turn_places{kind="held",service="agent"} 3',
  ]);
});

it('exports no former name of a metric that the process does not have', async () => {
  const text = await new Metrics('key').text();
  for (const before of Object.values(RENAMED_METRICS)) expect(text).not.toContain(before);
});
