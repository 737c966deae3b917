import { logLevelOf } from './log-level';

it('logs at the level of its first service, also before that service has refused one that does not exist', () => {
  expect(logLevelOf({ LOG_LEVEL: 'silent' })).toBe('silent');
  for (const LOG_LEVEL of [undefined, '', 'loud']) expect(logLevelOf({ LOG_LEVEL })).toBe('info');
});
