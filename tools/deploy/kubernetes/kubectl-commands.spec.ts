import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../launcher/project-root';
import { hasTool, kubernetesTool, runTool } from './binaries';
import { type Manifest, manifestsIn } from './manifest';

interface Workload extends Manifest {
  spec?: {
    ports?: { port: number }[];
    template?: { spec?: { containers?: { name: string }[]; initContainers?: { name: string }[] } };
  };
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file));
const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

/** Of code spans and code blocks, each one as it is typed: without the next one, a pipe or a comment behind it. */
const commandsIn = (text: string): string[] =>
  [...text.replaceAll(/\\\n\s*/gu, ' ').matchAll(/kubectl [^`\n]*/gu)].map(([command]) =>
    (command.split(/ (?:&&|\|) |\s+#/u)[0] ?? '').trim(),
  );

/** Without mentions that lack their last argument. */
const commands = [
  ...new Set(
    ['README.md', 'SECURITY.md', ...filesIn('docs', '.md'), ...filesIn('deploy', '.md')].flatMap((file) =>
      commandsIn(read(file)).filter((command) => !/ -[a-z]$/u.test(command)),
    ),
  ),
];
const objects: Workload[] = filesIn('deploy/k8s', '.yaml')
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) => manifestsIn(read(file)));
const named = (kind: string, name: string): Workload | undefined =>
  objects.find((one) => one.kind === kind && one.metadata.name === name);

const home = mkdtempSync(path.join(tmpdir(), 'kubectl-'));
const SUBCOMMAND = /^[a-z-]+$/u;

/** The error of kubectl for the command with `--help`: it reads all flags and asks no cluster. */
function refusalOf(command: string): string | null {
  const words = command.replaceAll(/<[^>]*>|…/gu, 'x').split(/\s+/u).slice(1);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const { code, stdout, stderr } = runTool(
    kubernetesTool('kubectl'),
    [...words.slice(0, end), '--help', ...words.slice(end)],
    home,
  );
  if (code !== 0) return stderr.trim();
  const usage = /Usage:\n +kubectl ([^\n]*)/u.exec(stdout)?.[1] ?? '';
  // Of an unknown subcommand, it shows the usage of the command above.
  if (usage === '' || /SUBCOMMAND|^\[/u.test(usage)) return `no such command: ${words.join(' ')}`;
  const parts = usage.split(' ');
  const subcommands = parts.slice(
    0,
    parts.findIndex((word) => !SUBCOMMAND.test(word)),
  );
  return subcommands.every((word) => words.includes(word)) ? null : `read as ${usage}`;
}

const withKubectl = hasTool('kubectl') ? test : test.skip;

withKubectl('the documents have commands for kubectl', () => {
  expect(commands.length).toBeGreaterThan(30);
});

withKubectl.each(commands)('kubectl knows the command and the flags of %s', (command) => {
  expect(refusalOf(command)).toBeNull();
});

withKubectl.each([
  'kubectl -n switchyard logs deploy/gateway --sinc=15m',
  'kubectl -n switchyard logs deploy/gateway --since=15minutes',
  'kubectl -n switchyard rollout restrat deployment/gateway',
  'kubectl rolout restart deployment/gateway',
])('and not those of %s', (command) => {
  expect(refusalOf(command)).not.toBeNull();
});

test.each(commands)('what %s names is in the manifests', (command) => {
  for (const [, name = ''] of command.matchAll(/ deploy(?:ment)?\/([\w-]+)(?= |$)/gu)) {
    const { initContainers = [], containers = [] } = named('Deployment', name)?.spec?.template?.spec ?? {};
    expect([name, containers.length > 0]).toEqual([name, true]);
    const container = / -c ([\w-]+)/u.exec(command)?.[1];
    if (container !== undefined)
      expect([...initContainers, ...containers].map((each) => each.name)).toContain(container);
  }
  for (const [, name = '', port] of command.matchAll(/\bservice\/([\w-]+) \d+:(\d+)/gu))
    expect(named('Service', name)?.spec?.ports?.map((each) => each.port)).toContain(Number(port));
  for (const [, name = ''] of command.matchAll(/ ingress ([\w-]+)/gu)) expect(named('Ingress', name)).toBeDefined();
  for (const [, label = '', value] of command.matchAll(/ job -l ([^=\s]+)=(\S+)/gu))
    expect(objects.filter(({ kind, metadata }) => kind === 'Job' && metadata.labels?.[label] === value)).not.toEqual([]);
  for (const [, file = ''] of command.matchAll(/ -[fk] (deploy\/\S+)/gu))
    expect(existsSync(path.join(projectRoot, file))).toBe(true);
});
