import { ignoredSentence, ignoredSettings } from './ignored-settings';

const names = {
  key: ['DATA_KEY', 'KEY_PEPPERS', 'LOG_LEVEL'],
  agent: ['DATA_KEY', 'LOG_LEVEL'],
  gateway: ['GATEWAY_PORT'],
};
const received = {
  key: { DATA_KEY: 'generated', KEY_PEPPERS: '1:generated', LOG_LEVEL: 'debug' },
  agent: { DATA_KEY: 'generated too', LOG_LEVEL: 'debug' },
  gateway: { GATEWAY_PORT: '3000' },
};
const ignored = (environment: Record<string, string>, exempt: string[] = []): string[] =>
  ignoredSettings(environment, received, new Set(exempt), names);

test('a setting that its services receive with another value is ignored, and named once', () => {
  expect(ignored({ KEY_PEPPERS: '1:chosen', DATA_KEY: 'chosen', LOG_LEVEL: 'debug', OPENAI_API_KEY: 'sk-x' })).toEqual([
    'DATA_KEY',
    'KEY_PEPPERS',
  ]);
});

test('a setting that one of its services does not receive is ignored', () => {
  expect(ignored({ DATA_KEY: 'generated' })).toEqual(['DATA_KEY']);
});

test('an empty setting, and one that takes effect in another way, are not ignored', () => {
  expect(ignored({ KEY_PEPPERS: '', GATEWAY_PORT: '8080' }, ['GATEWAY_PORT'])).toEqual([]);
});

test('the sentence has the names and no value', () => {
  expect(ignoredSentence(['DATA_KEY', 'KEY_PEPPERS'], 'setup')).toBe(
    'Ignored settings: DATA_KEY, KEY_PEPPERS. For these, setup uses values of its own, or those of the first start (docs/operate/configure.md#ignored-settings).',
  );
});
