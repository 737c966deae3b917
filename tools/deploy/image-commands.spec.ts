import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { commandsOfImage, copiedFolders } from './image-commands';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const commands = commandsOfImage();
const copied = copiedFolders();

const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

const isCopied = (source: string): boolean =>
  !source.startsWith('libs/testing/') && copied.some((folder) => source.startsWith(`${folder}/`));

const sourceOf = (command: string): string => command.replace(/^dist\//, '').replace(/\.js$/, '.ts');

function fileOf(field: string): string | undefined {
  return [`${field}.ts`, `${field}/index.ts`, field].find((file) => /\.\w+$/.test(file) && existsSync(path.join(projectRoot, file)));
}

const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** Runtime imports of a source (types aside): own files, and packages. */
function importsOf(source: string): { files: string[]; packages: string[] } {
  const text = read(source);
  const statements = [...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms)];
  const names = statements.map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
  const files: string[] = [];
  const packages: string[] = [];
  for (const name of names) {
    const own = name.startsWith('.')
      ? path.posix.join(path.posix.dirname(source), name)
      : name.startsWith('@switchyard/')
        ? `libs/${name.slice('@switchyard/'.length)}/src`
        : undefined;
    if (own === undefined) packages.push(packageOf(name));
    else files.push(fileOf(own) ?? own);
  }
  return { files, packages };
}

function missingFor(command: string): string[] {
  const seen = new Set<string>();
  const missing = new Set<string>();
  const queue = [sourceOf(command)];
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    if (seen.has(source)) continue;
    seen.add(source);
    if (!isCopied(source) || !existsSync(path.join(projectRoot, source))) {
      missing.add(source);
      continue;
    }
    if (!source.endsWith('.ts')) continue;
    const { files, packages } = importsOf(source);
    queue.push(...files);
    for (const name of packages)
      if (!name.startsWith('node:') && !builtinModules.includes(name) && dependencies[name] === undefined) missing.add(`package ${name}`);
  }
  return [...missing].sort();
}

test('manifests, the chart, Compose and the documentation name commands of the image', () => {
  expect(commands).toEqual(
    expect.arrayContaining(['dist/tools/deploy/prepare.js', 'dist/tools/secrets/rotate-command.js', 'dist/tools/deploy/run.js']),
  );
});

test.each(commands.sort())('%s is in the image, with everything that it loads', (command) => {
  expect(missingFor(command)).toEqual([]);
});
