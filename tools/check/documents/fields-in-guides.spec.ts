import { readFileSync, readdirSync } from 'node:fs';
import { CreateAgent, CreateTask, fieldsOf } from '@switchyard/contracts';

const read = (path: string): string => readFileSync(path, 'utf8');

const sources = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => read(`${folder}/${name}`))
    .join('\n');

/** Fields between the braces of a constant like `emptyDraft`. */
function draftFields(form: string, constant: string): string[] {
  const body = new RegExp(`const ${constant}: \\w+ = \\{\\n([\\s\\S]*?)\\n\\};`, 'u').exec(read(form))?.[1] ?? '';
  return [...body.matchAll(/^ {2}(\w+):/gmu)].map(([, name = '']) => name);
}

test.each([
  ['an agent', CreateAgent, ['agents', 'tools', 'chat', 'execute']],
  ['a task', CreateTask, ['tasks']],
])('each field of %s is in its guide', (_, type, pages) => {
  const guide = pages.map((page) => read(`docs/guides/${page}.md`)).join('\n');
  const missing = fieldsOf(type)
    .map(({ name }) => name)
    .filter((name) => !new RegExp(`[\`"]${name}\\b`, 'u').test(guide));
  expect(missing).toEqual([]);
});

test.each([
  ['an agent', 'apps/console/src/screens/agents', 'agent-form.ts', 'emptyDraft'],
  ['a task', 'apps/console/src/screens/tasks', 'task-form.ts', 'emptyTask'],
])('each field in the form of %s has an input in the console', (_, folder, form, constant) => {
  const fields = draftFields(`${folder}/${form}`, constant);
  expect(fields.length).toBeGreaterThan(10);
  const inputs = sources(folder);
  const lists = read(`${folder}/${form}`);
  const isShown = (field: string): boolean => inputs.includes(`draft.${field}`) || lists.includes(`field: '${field}'`);
  expect(fields.filter((field) => !isShown(field))).toEqual([]);
});
