import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usePlatform } from '@switchyard/testing';
import { runToEnd } from '../../launcher/processes/transient';
import { projectRoot } from '../../launcher/project-root';

const platform = usePlatform();

/** Generators are not among the project's own dependencies: only this test runs them. */
const SOURCE = join(projectRoot, 'tools/api-generators');
const FOLDER = join(projectRoot, 'node_modules/.cache/api-generators');
const DOCUMENT = join(projectRoot, 'docs/reference/openapi.json');

async function run(script: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: FOLDER, env: { ...process.env, ...env } };
  const { code, stdout, stderr } = await runToEnd(process.execPath, [script, ...args], options);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

const installed = (file: string): string => join(FOLDER, 'node_modules', file);

async function install(): Promise<void> {
  const lock = readFileSync(join(SOURCE, 'package-lock.json'), 'utf8');
  const stamp = join(FOLDER, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(SOURCE, file), join(FOLDER, file));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, stderr } = await runToEnd('npm', args, { cwd: FOLDER });
  if (code !== 0) throw new Error(`The generators could not be installed: ${stderr}`);
  writeFileSync(stamp, lock);
}

const COMPILER = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'commonjs',
    moduleResolution: 'node10',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    rootDir: '.',
    outDir: 'js',
  },
  include: ['out/**/*.ts', 'use/*.ts'],
};

/** Each use lists the agents of a Space and prints the name of the first. */
const USES = {
  'openapi-typescript': `
import type { operations } from '../out/openapi-typescript/schema';
declare const process: { env: Record<string, string> };
type Agents = operations['listAgents']['responses'][200]['content']['application/json'];
void (async () => {
  const answer = await fetch(process.env['HOST'] + '/api/agents', { headers: { authorization: process.env['CREDENTIAL'] ?? '' } });
  const agents = (await answer.json()) as Agents;
  console.log(agents.data[0]?.name);
})();
`,
  'hey-api': `
import { client } from '../out/hey-api/client.gen';
import { listAgents } from '../out/hey-api/sdk.gen';
declare const process: { env: Record<string, string> };
client.setConfig({ baseUrl: process.env['HOST'] ?? '', headers: { authorization: process.env['CREDENTIAL'] ?? '' } });
void (async () => {
  const { data } = await listAgents({ query: { limit: 1 } });
  console.log(data?.data[0]?.name);
})();
`,
  orval: `
import { listAgents } from '../out/orval/client';
declare const process: { env: Record<string, string> };
void (async () => {
  const answer = await listAgents({ limit: 1 }, { headers: { authorization: process.env['CREDENTIAL'] ?? '' } });
  console.log(answer.status === 200 ? answer.data.data[0]?.name : answer.status);
})();
`,
};

beforeAll(async () => {
  await install();
  for (const folder of ['out', 'use', 'js']) rmSync(join(FOLDER, folder), { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'use'));
  for (const [name, code] of Object.entries(USES)) writeFileSync(join(FOLDER, 'use', `${name}.ts`), code);
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(COMPILER));
  const orval = { input: DOCUMENT, output: { target: 'out/orval/client.ts', client: 'fetch', baseUrl: platform.url } };
  writeFileSync(join(FOLDER, 'orval.config.js'), `module.exports = ${JSON.stringify({ switchyard: orval })};`);
}, 300_000);

test('openapi-typescript, hey-api and orval generate clients that compile under strict and list the agents', async () => {
  const typescript = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  await run(typescript, [DOCUMENT, '--output', join(FOLDER, 'out/openapi-typescript/schema.ts')]);
  const heyApi = ['--input', DOCUMENT, '--output', 'out/hey-api', '--client', '@hey-api/client-fetch'];
  await run(installed('@hey-api/openapi-ts/bin/run.js'), heyApi);
  await run(installed('orval/dist/bin/orval.js'), ['--config', 'orval.config.js']);
  await run(installed('typescript/bin/tsc'), ['-p', 'tsconfig.json']);

  const { owner } = await platform.newSpace();
  await owner.post('/agents', { name: 'Guide', model: 'sim-chat', systemPrompt: 'You help.' });
  const env = { HOST: platform.url, CREDENTIAL: owner.authorization ?? '' };
  for (const name of Object.keys(USES))
    expect([name, (await run(join(FOLDER, 'js/use', `${name}.js`), [], env)).trim()]).toEqual([name, 'Guide']);
}, 300_000);
