import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  expect(services.map(([name]) => name).sort()).toEqual(['gateway', 'key']);
  for (const [, config] of services) {
    const pairs = variablesOf(config).flatMap(({ name, togetherWith: other }) => (other ? [[name, other]] : []));
    expect(pairs.map(([name, other]) => [other, name]).sort()).toEqual(pairs.sort());
  }
});

test('each variable says why it exists', () => {
  for (const variable of allVariables()) expect(variable.reason.length).toBeGreaterThan(10);
});
