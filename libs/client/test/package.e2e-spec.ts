import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const PACKAGE = join(__dirname, '..');
const run = promisify(execFile);

/** What somebody does who installs the package: nothing of this repository is around. */
const USE = `
const client = new SwitchyardClient({ baseUrl: process.argv[2], credential: process.argv[3] });
(async () => {
  const [assistant] = (await client.agents.listSystem()).items;
  const stream = await client.agents.chat(assistant.id, { contents: text('@@reply Packed') });
  console.log(await stream.text(), (await client.auth.me()).role);
})();
`;
const TYPED = `
import { type Agent, SwitchyardClient, SwitchyardError, text, type TurnEvent } from '@switchyard/client';
const client = new SwitchyardClient({ baseUrl: 'http://127.0.0.1', credential: 'x' });
export async function use(): Promise<string> {
  const agent: Agent = await client.agents.create({ name: 'a', model: 'm', systemPrompt: 's', accessScope: 'SPACE' });
  // @ts-expect-error -- not a scope of access
  await client.agents.update(agent.id, { accessScope: 'WORLD' });
  const stream = await client.agents.chat(agent.id, { contents: text('hi'), settings: { chat_mode: 'ask' } });
  for await (const event of stream satisfies AsyncIterable<TurnEvent>)
    if (event.name === 'content.delta') return event.data.delta;
  const { items } = await client.keys.list({ status: 'ACTIVE' });
  return items[0]?.last4 ?? new SwitchyardError(404, 'NOT_FOUND', '').code;
}
`;

describe('the package, installed elsewhere', () => {
  let folder: string;
  let credential: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-consumer-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE });
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string; files: { path: string }[] }[];
    files = packed?.files.map(({ path }) => path) ?? [];
    const installed = join(folder, 'node_modules/@switchyard/client');
    mkdirSync(installed, { recursive: true });
    await run('tar', ['-xzf', join(folder, packed?.filename ?? ''), '-C', installed, '--strip-components=1']);
    // Its one dependency, as npm would have put it beside.
    const dependency = dirname(require.resolve('eventsource-parser/package.json'));
    cpSync(dependency, join(folder, 'node_modules/eventsource-parser'), { recursive: true });
    credential = (await (await platform.newSpace()).key({})).credential;
  }, 120_000);
  let files: string[] = [];

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const started = async (name: string, text: string): Promise<string> => {
    writeFileSync(join(folder, name), text);
    return (await run(process.execPath, [name, platform.url, credential], { cwd: folder })).stdout;
  };

  it('holds what it needs, and nothing of how it is made', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'dist/cjs/index.js', 'dist/esm/index.d.ts']),
    );
    expect(
      files.filter((path) => !/^(README\.md|package\.json|dist\/(cjs|esm)\/.+\.(js|json|d\.ts))$/.test(path)),
    ).toEqual([]);
    expect(files.filter((path) => path.includes('spec'))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { dependencies: object };
    expect(Object.keys(manifest.dependencies)).toEqual(['eventsource-parser']);
  });

  it('is imported', async () => {
    const text = `import { SwitchyardClient, text } from '@switchyard/client';${USE}`;
    expect(await started('use.mjs', text)).toBe('Packed OWNER\n');
  });

  it('is required', async () => {
    const text = `const { SwitchyardClient, text } = require('@switchyard/client');${USE}`;
    expect(await started('use.cjs', text)).toBe('Packed OWNER\n');
  });

  it('has types for both', async () => {
    const names = ['typed.mts', 'typed.cts'];
    for (const name of names) writeFileSync(join(folder, name), TYPED);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
    const lib = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable'];
    const tsc = require.resolve('typescript/bin/tsc');
    const said = await run(process.execPath, [tsc, ...options, ...lib, ...names], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(said.stdout).toBe('');
  });
});
