import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

const CHAT = `
const transport = new SwitchyardChatTransport({ baseUrl: process.argv[2], credential: process.argv[3], agentId: process.argv[4] });
const message = { id: '1', role: 'user', parts: [{ type: 'text', text: '@@reply Packed' }] };
(async () => {
  const sent = { trigger: 'submit-message', chatId: 'c', messageId: undefined, messages: [message], abortSignal: undefined };
  let said = '';
  for await (const chunk of await transport.sendMessages(sent)) if (chunk.type === 'text-delta') said += chunk.delta;
  console.log(said);
})();
`;
const TYPED_CHAT = `
import { type ChatTransport, type UIMessage } from 'ai';
import { shownParts, SwitchyardChatTransport, type SwitchyardMessage } from '@switchyard/client/ai-sdk';
const transport = new SwitchyardChatTransport({ baseUrl: 'http://127.0.0.1', credential: () => 'x', agentId: 'a' });
export const asTransport: ChatTransport<SwitchyardMessage> = transport;
export const asAnyTransport: ChatTransport<UIMessage> = new SwitchyardChatTransport<UIMessage>({ baseUrl: '', credential: '', agentId: '' });
export const answered: Promise<void> = transport.answer({ interactionId: 'i', selectedOptionIds: [], otherText: null });
export function used(message: SwitchyardMessage): number | undefined {
  for (const part of shownParts(message)) if (part.type === 'data-question') part.data.prompt satisfies string;
  // @ts-expect-error -- not a field of the metadata
  message.metadata?.tokens;
  return message.metadata?.usage?.total_tokens;
}
`;

describe('the package, installed elsewhere', () => {
  let folder: string;
  let credential: string;
  let agentId: string;

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
    const key = await (await platform.newSpace()).key({});
    credential = key.credential;
    agentId = (await key.get('/agents/system-agents')).body.data[0].id;
  }, 120_000);
  let files: string[] = [];

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const started = async (name: string, text: string): Promise<string> => {
    writeFileSync(join(folder, name), text);
    return (await run(process.execPath, [name, platform.url, credential, agentId], { cwd: folder })).stdout;
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

  // The AI SDK is not there: its types are all that is used of it.
  it('is imported for the AI SDK', async () => {
    const text = `import { SwitchyardChatTransport } from '@switchyard/client/ai-sdk';${CHAT}`;
    expect(await started('chat.mjs', text)).toBe('Packed\n');
  });

  it('is required for the AI SDK', async () => {
    const text = `const { SwitchyardChatTransport } = require('@switchyard/client/ai-sdk');${CHAT}`;
    expect(await started('chat.cjs', text)).toBe('Packed\n');
  });

  it('asks for nothing that a browser lacks', () => {
    const code = files.filter((path) => path.startsWith('dist/esm/') && path.endsWith('.js'));
    const imported = code.flatMap((path) => {
      const text = readFileSync(join(folder, 'node_modules/@switchyard/client', path), 'utf8');
      return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'".][^'"]*)['"]/g)].map(([, name]) => name);
    });
    expect([...new Set(imported)]).toEqual(['eventsource-parser']);
  });

  it('has types for both', async () => {
    const programs = { 'typed.mts': TYPED, 'typed.cts': TYPED, 'chat.mts': TYPED_CHAT, 'chat.cts': TYPED_CHAT };
    const names = Object.keys(programs);
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
    symlinkSync(dirname(require.resolve('ai/package.json')), join(folder, 'node_modules/ai'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const lib = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable'];
    const tsc = require.resolve('typescript/bin/tsc');
    const said = await run(process.execPath, [tsc, ...options, ...lib, ...names], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(said.stdout).toBe('');
  });
});
