import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SCOPES } from '@switchyard/contracts';
import { projectRoot } from '../launcher/project-root';

test('the documentation says what each declared scope allows', () => {
  const page = readFileSync(path.join(projectRoot, 'docs/guides/api-keys.md'), 'utf8');
  const section = page.split(/^## /mu).find((text) => text.startsWith('Scopes\n')) ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| \S/gmu)].map(([, scope]) => scope);
  expect(rows.sort()).toEqual([...SCOPES].sort());
});
