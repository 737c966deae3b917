import { nearMisses } from './near-names';

const declared = new Set([
  'LOG_LEVEL',
  'SPACE_CREATION',
  'TRUSTED_PROXIES',
  'TURN_TIMEOUT_MS',
  'NATS_URL',
  'DATA_KEY',
  'DATA_KEY_FILE',
  'OIDC_ISSUER',
]);
const problemsWith = (...names: string[]): string[] =>
  nearMisses(Object.fromEntries(names.map((name) => [name, 'x'])), declared);

test.each([
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['SPACE_CREATON', 'SPACE_CREATION'],
  ['TRUSTED_PROXY', undefined],
  ['TRUSTED_PROXIE', 'TRUSTED_PROXIES'],
  ['TURN_TIMEOUT', 'TURN_TIMEOUT_MS'],
  ['turn_timeout_ms', 'TURN_TIMEOUT_MS'],
  ['OIDC_ISSUERS', 'OIDC_ISSUER'],
])('%s is probably %s', (name, meant) => {
  expect(problemsWith(name)).toEqual(meant === undefined ? [] : [`${name} is not a setting: did you mean ${meant}?`]);
});

test('names that are declared, far from all, of clients, of standards or of launchers are no problem', () => {
  expect(
    problemsWith(
      'LOG_LEVEL',
      'DATA_KEY_FILE',
      'OPENAI_API_KEY',
      'PATH',
      'EDITOR',
      'OTEL_SERVICE_NAME',
      'SWITCHYARD_KEY',
      'NODE_ENVS',
      'POSTGRES_PASSWORD',
      'KEY_DATA_KEY',
      'HOSTNAME',
    ),
  ).toEqual([]);
});

test('a setting of an earlier version is named with what to do instead', () => {
  expect(problemsWith('BUS_UNBOUND_SEALS_UNTIL')).toEqual([
    'BUS_UNBOUND_SEALS_UNTIL is no setting any more: remove it, all versions since 0.1.0 sign whole messages.',
  ]);
  expect(problemsWith('JSON_DEPTH')).toEqual(['JSON_DEPTH is no setting any more: remove it, the value is always 64.']);
  expect(problemsWith('RELAY_OPEN_PATHS')).toEqual([
    'RELAY_OPEN_PATHS is no setting any more: list the open `paths` of each upstream in the catalogue of models.',
  ]);
});
