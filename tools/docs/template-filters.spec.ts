import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TEMPLATE_FILTERS } from '../../apps/console/src/screens/tasks/template-filters';
import { FILTER_NAMES } from '../../apps/task/src/domain/template-filters';
import { projectRoot } from '../launcher/project-root';

describe('the filters of templates', () => {
  it('are those that the console offers', () => {
    expect([...TEMPLATE_FILTERS].sort()).toEqual([...FILTER_NAMES].sort());
  });

  it('are those that the documentation names', () => {
    const page = readFileSync(path.join(projectRoot, 'docs/guides/tasks.md'), 'utf8');
    const lists = [...page.matchAll(/^- (?:text|numbers|values|questions): `([a-z0-9 ]+)`$/gmu)];
    expect(lists.flatMap(([, list]) => list?.split(' ') ?? []).sort()).toEqual([...FILTER_NAMES].sort());
  });
});
