import { ALERT_CASES } from './alert-cases';
import { ALERTS } from './alerts';

test('every alert has a case that must fire it, and no case is left over', () => {
  expect(Object.keys(ALERT_CASES).sort()).toEqual(ALERTS.map(({ name }) => name).sort());
});
