import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TEMPLATE_FILTERS } from '../../apps/console/src/screens/tasks/template-filters';
import { FILTER_NAMES, applyFilter } from '../../apps/task/src/domain/template-filters';
import { projectRoot } from '../launcher/project-root';

const page = readFileSync(path.join(projectRoot, 'docs/guides/tasks.md'), 'utf8');

/** Rows of the documented table: name, arguments, an example's value and its result. */
const documented = [...page.matchAll(/^\| `([a-z0-9]+)(?:: ([^`]+))?` +\| `([^`]+)` +\| `([^`]+)` +\|/gmu)].map(
  ([, name = '', args = '', value = '', result = '']) => ({ name, args: `[${args}]`, value, result }),
);

describe('the filters of templates', () => {
  it('are those that the console offers', () => {
    expect([...TEMPLATE_FILTERS].sort()).toEqual([...FILTER_NAMES].sort());
  });

  it('are those that the documentation names', () => {
    expect(documented.map(({ name }) => name).sort()).toEqual([...FILTER_NAMES].sort());
  });

  it.each(documented)('give what the documentation shows: $name', ({ name, args, value, result }) => {
    expect(applyFilter(name, JSON.parse(value), JSON.parse(args) as unknown[])).toEqual(JSON.parse(result));
  });
});
