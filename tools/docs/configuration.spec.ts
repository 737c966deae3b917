import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allVariables, configurationPage, exampleFile } from './configuration';

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

test('each variable says why it exists', () => {
  for (const variable of allVariables()) expect(variable.reason.length).toBeGreaterThan(10);
});
