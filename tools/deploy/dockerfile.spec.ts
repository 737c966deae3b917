import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Instruction, DockerfileParser } from 'dockerfile-ast';
import { SHIPPED_NODE } from '../../proof/bench/shipped-node';
import { MALLOC_SETTINGS, SEMI_SPACE_MI } from '../launcher/services/process-memory';

const root = join(__dirname, '../..');
const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const dockerfile = DockerfileParser.parse(text);
const instructions = dockerfile.getInstructions();
const of = (keyword: string, among: readonly Instruction[] = instructions): Instruction[] =>
  among.filter((instruction) => instruction.getKeyword() === keyword);
/** The instruction's arguments with flags, in one line. */
const content = (instruction: Instruction): string =>
  instruction
    .getTextContent()
    .slice(instruction.getKeyword().length)
    .replace(/\\\n\s*/g, ' ')
    .trim();

const starts = of('FROM');
const lastStart = starts.at(-1);
const last = instructions.slice(instructions.indexOf(lastStart as Instruction));
const defaults = new Map(of('ARG').map((arg) => content(arg).split('=') as [string, string]));
const stages = starts.map((from) => (/ AS (\S+)$/i.exec(content(from)) ?? [])[1]);

test('the benchmarks run on the Node of the image', () => {
  expect(defaults.get('BUILD')).toMatch(new RegExp(`^node:${SHIPPED_NODE.split('.')[0]}-`));
});

test('bases have a version, and can be given by digest', () => {
  for (const from of starts) {
    const name = (/^\$\{(\w+)\}/.exec(content(from)) ?? [])[1] ?? '';
    expect(defaults.get(name)).toMatch(/^[\w./-]+:(?!latest)[\w.-]+$/);
  }
});

test('the image runs as an ordinary user, and starts without a shell', () => {
  const users = of('USER', last).map(content);
  expect(users.at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(of('RUN', last)).toEqual([]);
  for (const keyword of ['CMD', 'ENTRYPOINT']) for (const start of of(keyword, last)) expect(content(start)).toMatch(/^\[".*"\]$/);
  expect(content(of('HEALTHCHECK', last)[0] as Instruction)).toMatch(/CMD \["/);
});

test('the image keeps processes as small as the launcher does', () => {
  const settings = of('ENV', last).map(content).join(' ');
  expect(settings).toContain(`--max-semi-space-size=${SEMI_SPACE_MI}"`);
  for (const [name, value] of Object.entries(MALLOC_SETTINGS)) expect(settings).toMatch(new RegExp(`${name}=${value}\\b`));
});

test('the image says where it comes from', () => {
  const labels = of('LABEL', last).map(content).join(' ');
  for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'created', 'source'])
    expect(labels).toContain(`org.opencontainers.image.${label}=`);
});

test('packages come from the lock file, without scripts of strangers, and the last stage has those alone that run', () => {
  const installs = of('RUN').map(content).filter((run) => run.includes('npm '));
  expect(installs.length).toBeGreaterThan(0);
  for (const run of installs) expect(run).toMatch(/npm ci --ignore-scripts/);
  const modules = of('COPY', last).map(content).filter((copy) => copy.includes('node_modules'));
  expect(modules).toEqual(['--from=packages /src/node_modules node_modules']);
  const packages = of('RUN').map(content).find((run) => run.includes('--omit=dev'));
  expect(packages).toBeDefined();
});

test('each install knows the workspaces of the lock file, and the image has the console without its packages', () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const stages = instructions.map((instruction) => `${instruction.getKeyword()} ${content(instruction)}`).join('\n').split(/^FROM /m);
  for (const stage of stages.filter((text) => text.includes('npm ci')))
    for (const workspace of workspaces)
      expect(stage.split('npm ci')[0]).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  expect(stages.find((text) => text.includes('--omit=dev'))).toContain('rm -rf node_modules/@switchyard');
  expect(stages.find((text) => text.includes('tools/build-console.mjs'))).toMatch(/cp -r .*dist\/console/);
});

test('nothing is fetched, added or hidden in it', () => {
  expect(of('ADD')).toEqual([]);
  for (const run of of('RUN').map(content)) expect(run).not.toMatch(/\b(?:curl|wget|sudo|apt|apk)\b|\|\s*(?:ba)?sh\b/);
  for (const declared of [...of('ENV'), ...of('ARG')]) expect(content(declared)).not.toMatch(/PASSWORD|TOKEN|SECRET|SEED|_KEY/);
  for (const folder of of('WORKDIR').map(content)) expect(folder).toMatch(/^\//);
});

test('what it copies is there, and stages that it names exist', () => {
  for (const copy of of('COPY').map(content)) {
    const [from] = /^--from=(\S+)/.exec(copy)?.slice(1) ?? [];
    if (from !== undefined) expect(stages).toContain(from);
    else
      for (const source of copy.split(/\s+/).slice(0, -1)) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
  }
});

test('the context of the build holds what is copied, and no secrets, tests or history', () => {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  expect(lines).toContain('*');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const copied = of('COPY').map(content).filter((copy) => !copy.startsWith('--from')).flatMap((copy) => copy.split(/\s+/).slice(0, -1));
  const isAllowed = (source: string): boolean => allowed.some((name) => source === name || source.startsWith(`${name}/`));
  expect(copied.filter((source) => !isAllowed(source))).toEqual([]);
  expect(allowed.filter((name) => !copied.includes(name))).toEqual([]);
});
