import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { until, usePlatform } from '@switchyard/testing';
import { chromium } from 'playwright-core';

const platform = usePlatform();
const PACKAGE = join(__dirname, '..');
const run = promisify(execFile);
/** Versions of Node to run it with, as paths of a list; the one of the tests unless given. */
const NODES = (process.env['SWITCHYARD_TEST_NODES'] ?? process.execPath).split(delimiter);

/** Uses the installed package, outside of this repository. */
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

interface Packed {
  filename: string;
  files: { path: string }[];
}

/** In a page, without a bundler: its modules as they are published, found by an import map. */
const PAGE = `<script type="importmap">${JSON.stringify({
  imports: {
    '@switchyard/client': '/consumer/@switchyard/client/dist/esm/index.js',
    '@switchyard/client/ai-sdk': '/consumer/@switchyard/client/dist/esm/ai-sdk/index.js',
    'eventsource-parser': '/consumer/eventsource-parser/dist/index.js',
  },
})}</script><script type="module">
import { SwitchyardClient, text } from '@switchyard/client';
import { SwitchyardChatTransport } from '@switchyard/client/ai-sdk';
const process = { argv: ['', '', location.origin, ...location.hash.slice(1).split(',')] };
const console = { log: (...words) => void (document.body.dataset.said = (document.body.dataset.said ?? '') + words.join(' ') + ';') };
SCRIPTS
</script>`;

describe('the package, installed elsewhere', () => {
  let folder: string;
  let credential: string;
  let agentId: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-consumer-'));
    const pack = async (from: string): Promise<Packed> => {
      const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
      const { stdout } = await run('npm', ['pack', ...options], { cwd: from });
      return (JSON.parse(stdout.slice(stdout.indexOf('['))) as [Packed])[0];
    };
    // `npm pack` would run this itself, and its output would be mixed with the JSON.
    await run(process.execPath, ['build.mjs'], { cwd: PACKAGE });
    const packed = await pack(PACKAGE);
    files = packed.files.map(({ path }) => path);
    // Its one dependency comes from beside, as from a registry: nothing is fetched.
    const dependency = await pack(dirname(require.resolve('eventsource-parser/package.json')));
    writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true}');
    const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, ...[packed, dependency].map(({ filename }) => `./${filename}`)], {
      cwd: folder,
    });
    const key = await (await platform.newSpace()).key({});
    credential = key.credential;
    agentId = (await key.get('/agents/system-agents')).body.data[0].id;
  }, 120_000);
  let files: string[] = [];

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** The output of each Node version, once if they agree. */
  const started = async (name: string, text: string): Promise<string> => {
    writeFileSync(join(folder, name), text);
    const content = new Set<string>();
    for (const node of NODES)
      content.add((await run(node, [name, platform.url, credential, agentId], { cwd: folder })).stdout);
    return [...content].join(' or ');
  };

  it('is all that is installed, with its one dependency', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed.sort()).toEqual(['@switchyard', 'eventsource-parser']);
  });

  it('runs in a page as it is published, both of its entries', async () => {
    const browser = await chromium.launch({
      executablePath: process.env['SWITCHYARD_TEST_CHROMIUM'],
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    });
    try {
      const page = await browser.newPage();
      const failed: string[] = [];
      page.on('pageerror', ({ message }) => failed.push(message));
      const html = PAGE.replace('SCRIPTS', () => `${USE}\n${CHAT}`);
      await page.route(`${platform.url}/consumer-page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: `<body></body>${html}` }),
      );
      await page.route(`${platform.url}/consumer/**`, (route) => {
        const file = new URL(route.request().url()).pathname.replace('/consumer/', '');
        const body = readFileSync(join(folder, 'node_modules', file), 'utf8');
        return route.fulfill({ contentType: 'text/javascript', body });
      });
      await page.goto(`${platform.url}/consumer-page#${credential},${agentId}`);
      const text = await until(async () => {
        if (failed.length > 0) return failed;
        const words = (await page.locator('body').getAttribute('data-said')) ?? '';
        return words.split(';').length === 3 ? words.split(';').sort() : undefined;
      });
      expect(text).toEqual(['', 'Packed', 'Packed OWNER']);
    } finally {
      await browser.close();
    }
  });

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
    // Webhooks are verified by servers.
    const isForServers = (path: string): boolean => path.startsWith('dist/esm/webhooks/');
    const code = files.filter((path) => path.startsWith('dist/esm/') && path.endsWith('.js') && !isForServers(path));
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
    const content = await run(process.execPath, [tsc, ...options, ...lib, ...names], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(content.stdout).toBe('');
  });
});
