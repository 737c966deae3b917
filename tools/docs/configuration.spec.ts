import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearMisses } from '@switchyard/kernel';
import { variablesOf } from '@switchyard/service';
import { CONFIGS, allVariables, configurationPage, exampleFile } from './configuration';

const fileOf = (name: string): string => readFileSync(join(__dirname, '../..', name), 'utf8');

test('the configuration table and the example are those of the code (npm run docs writes them)', () => {
  expect(fileOf('docs/reference/configuration.md')).toBe(configurationPage());
  expect(fileOf('.env.example')).toBe(exampleFile());
});

test('a variable that services use for different things is described for each of them', () => {
  const row = configurationPage()
    .split('\n')
    .find((line) => line.startsWith('| `DATA_KEY` |'));
  expect(row).toMatch(/agent: .*MCP servers.* key: .*secrets of Spaces.*signing keys.*webhook secrets/);
});

test('variables that belong together are read by the same services', () => {
  const services = Object.entries(CONFIGS).filter(([, config]) =>
    variablesOf(config).some(({ togetherWith }) => togetherWith !== undefined),
  );
  expect(services.map(([name]) => name).sort()).toEqual(['event-bus', 'gateway', 'key']);
  for (const [, config] of services) {
    const pairs = variablesOf(config).flatMap(({ name, togetherWith: other }) => (other ? [[name, other]] : []));
    expect(pairs.map(([name, other]) => [other, name]).sort()).toEqual(pairs.sort());
  }
});

test('a setting of a time or a size has its unit in its name', () => {
  const isTimeOrSize =
    /(?:^|_)(?:AFTER|AGE|BASE|EVERY|GRACE|INTERVAL|LEASE|MEMORY|OFFSET|RETENTION|STALL|SWEEP|TIMEOUT|TTL|WAIT|WITHIN)(?:_|$)|(?:BODY|PIECE)_LIMIT/;
  const hasUnit = /(?:^|_)(?:MS|SECONDS|HOURS|DAYS|BYTES|MB|ROWS|PERCENT)(?:_|$)/;
  const isOtherUnit = /(?:^|_)(?:S|SEC|MIN|MINS|MINUTES|H|D|B|KB|KIB|MIB|GB)$/;
  const names = allVariables().map(({ name }) => name);
  expect(names.filter((name) => isTimeOrSize.test(name) && !hasUnit.test(name))).toEqual([]);
  expect(names.filter((name) => isOtherUnit.test(name) && !name.endsWith('_PER_MINUTE'))).toEqual([]);
});

test('each variable says why it exists', () => {
  for (const variable of allVariables()) expect(variable.reason.length).toBeGreaterThan(10);
});

test('the example has what operators decide, by task, and neither sizes nor settings for tests', () => {
  const example = exampleFile();
  const names = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(35);
  expect(names.length).toBeLessThanOrEqual(45);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /_(?:BYTES|WORKERS|AT_ONCE|PER_PROCESS|INTERVAL_MS)$/.test(name))).toEqual([]);
  const forTests = allVariables()
    .filter(({ testsOnly }) => testsOnly)
    .map(({ name }) => name);
  expect(names.filter((name) => forTests.includes(name))).toEqual([]);
  // The page has every one.
  for (const { name } of allVariables()) expect(configurationPage()).toContain(`\`${name}\``);
});

test('no setting is so near to another one that its correct name would be refused', () => {
  const declared = new Set(allVariables().map(({ name }) => name));
  expect(nearMisses(Object.fromEntries([...declared].map((name) => [name, 'x'])), declared)).toEqual([]);
});
