import { ALERTS } from './alerts';
import { INHIBITIONS } from './inhibition';

const alerts = new Map(ALERTS.map((alert) => [alert.name, alert]));

test.each(INHIBITIONS)('$cause silences alerts that exist, in the same installation', ({ cause, effects, equal }) => {
  expect(alerts.has(cause)).toBe(true);
  expect(effects.filter((effect) => !alerts.has(effect))).toEqual([]);
  expect(effects).not.toContain(cause);
  expect(equal[0]).toBe('namespace');
  for (const name of [cause, ...effects])
    for (const label of equal)
      expect([name, label, alerts.get(name)?.expr.replaceAll('$here', 'namespace').includes(label)]).toEqual([
        name,
        label,
        true,
      ]);
});

test('no alert silences one that silences it', () => {
  const effectsOf = (cause: string): readonly string[] =>
    INHIBITIONS.find((each) => each.cause === cause)?.effects ?? [];
  for (const { cause, effects } of INHIBITIONS)
    for (const effect of effects) expect([effect, effectsOf(effect).includes(cause)]).toEqual([effect, false]);
});

test('of all that pages when Postgres or NATS is away, one page remains', () => {
  const follow = ['SwitchyardErrors', 'SwitchyardOutboxStuck', 'SwitchyardEmissionsPending'];
  for (const cause of ['SwitchyardPostgresAway', 'SwitchyardNatsAway'])
    expect(INHIBITIONS.find((each) => each.cause === cause)?.effects).toEqual(expect.arrayContaining(follow));
});
