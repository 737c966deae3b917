import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, until, usePlatform } from '@switchyard/testing';
import type { SwitchyardMessage } from '@switchyard/client/ai-sdk';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** `useChat` of @ai-sdk/react in a browser, with our transport: what an application sees. */
const platform = usePlatform();
let browser: Browser;
let context: BrowserContext;
let member: Client;
let agentId: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-chat-page-'));
  const bundled = promisify(execFile)(process.execPath, [join(__dirname, 'chat-page/bundle.mjs'), folder]);
  const space = await platform.newSpace();
  member = await space.member();
  const agent = await member.post('/agents', {
    name: 'Helper',
    model: 'sim-chat',
    systemPrompt: 'Help.',
    tools: ['ask_user', 'query_dataset'],
    localTools: [{ name: 'clock', description: 'The time here.', parameters: { type: 'object' } }],
    approvals: [{ tool: 'query_dataset' }],
  });
  agentId = agent.body.data.id;
  browser = await chromium.launch({
    executablePath: process.env['SWITCHYARD_TEST_CHROMIUM'],
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  context = await browser.newContext();
  await bundled;
  const script = readFileSync(join(folder, 'page.js'), 'utf8');
  // The page comes from the platform's own host, as behind a proxy that serves both.
  await context.route(`${platform.url}/chat-page**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<body><script type="module" src="/chat-page.js"></script>' }),
  );
  await context.route(`${platform.url}/chat-page.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
}, 120_000);

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Chat {
  messages: SwitchyardMessage[];
  status: string;
  error?: { name: string; message: string; code?: string };
  sendMessage(message?: { text: string } | { files: object[] }): Promise<void>;
  resumeStream(): Promise<void>;
  regenerate(): Promise<void>;
  stop(): Promise<void>;
  addToolApprovalResponse(response: { id: string; approved: boolean; reason?: string }): Promise<void>;
}
interface Globals {
  chat: Chat;
  transport: { answer(answer: object): Promise<void> };
  toolRuns: number;
}

/** One chat in a page of its own. */
class ChatPage {
  private constructor(readonly page: Page) {}

  static async open(): Promise<ChatPage> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const query = new URLSearchParams({ agentId, credential: member.credential, chat: randomUUID() });
    await page.goto(`${platform.url}/chat-page?${query.toString()}`);
    await page.waitForSelector('main', { state: 'attached' });
    return new ChatPage(page);
  }

  /** Begins to say it, and does not wait for the answer. */
  send(text: string): Promise<void> {
    return this.page.evaluate((text) => void (globalThis as unknown as Globals).chat.sendMessage({ text: text }), text);
  }

  async messages(): Promise<SwitchyardMessage[]> {
    return this.page.evaluate(() => (globalThis as unknown as Globals).chat.messages);
  }

  async answer(): Promise<SwitchyardMessage | undefined> {
    return (await this.messages()).findLast(({ role }) => role === 'assistant');
  }

  /** The answers as they stand on the page. */
  shown(): Promise<string[]> {
    return this.page.locator('p.assistant').allTextContents();
  }

  status(): Promise<string | null> {
    return this.page.locator('main').getAttribute('data-status');
  }

  /** The answer that stands there, once nothing moves any more. */
  async said(expected: string): Promise<void> {
    await until(async () => (await this.shown()).at(-1) === expected && (await this.status()) === 'ready', {
      timeoutMs: 60_000,
    });
  }

  part(type: string): Promise<Record<string, unknown>> {
    return until(
      async () =>
        (await this.answer())?.parts.find((part) => part.type === type) as Record<string, unknown> | undefined,
    );
  }

  call<T>(work: (globals: Globals) => Promise<T> | T): Promise<T> {
    return this.page.evaluate(`(${work.toString()})(globalThis)`);
  }
}

const turnStatus = async (turnId: string | undefined): Promise<string> =>
  (await member.get(`/agents/${agentId}/turns/${turnId ?? ''}`)).body.data.status;

const form = JSON.stringify({
  kind: 'single_choice',
  prompt: 'Which?',
  options: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
});

test('an answer streams in, the next one is of the same conversation, and the usage is that of the ledger', async () => {
  const chat = await ChatPage.open();
  await chat.send('@@think Well now\n@@reply Hello you');
  await chat.said('Hello you');
  const first = await chat.answer();
  expect(first?.parts).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'Well now', state: 'done' }));
  expect(first?.metadata).toMatchObject({ status: 'COMPLETED', finishReason: 'stop', turnId: first?.id });
  await chat.send('@@reply Again');
  await chat.said('Again');
  const second = await chat.answer();
  expect(second?.metadata?.sessionId).toBe(first?.metadata?.sessionId);
  const session = await member.get(`/agents/sessions/${first?.metadata?.sessionId ?? ''}/messages`);
  expect(session.body.data.map((message: { role: string }) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ]);
  const used = session.body.data[1].tokenUsage;
  expect(first?.metadata?.usage).toMatchObject({
    prompt_tokens: used.promptTokens ?? used.prompt_tokens,
    completion_tokens: used.completionTokens ?? used.completion_tokens,
  });
  await chat.page.close();
});

test('a reload in the middle of an answer shows all of it, once; stopping then stops the turn', async () => {
  const chat = await ChatPage.open();
  await chat.send('@@delay 100\n@@tokens 120');
  await until(async () => ((await chat.shown()).at(-1) ?? '').length > 20);
  await chat.page.reload();
  await until(async () => (await chat.status()) === 'ready' && (await chat.messages()).length === 2, {
    timeoutMs: 60_000,
  });
  const answer = await chat.answer();
  expect((await chat.shown()).length).toBe(1);
  const session = await member.get(`/agents/sessions/${answer?.metadata?.sessionId ?? ''}/messages`);
  expect((await chat.shown())[0]).toBe(session.body.data[1].content[0].text);
  expect(answer?.metadata?.status).toBe('COMPLETED');

  await chat.send('@@delay 100\n@@tokens 600');
  await until(async () => (await chat.shown()).length === 2 && ((await chat.shown()).at(-1) ?? '').length > 20);
  await chat.page.reload();
  await until(async () => (await chat.status()) === 'streaming' && ((await chat.shown()).at(-1) ?? '').length > 20);
  const running = await chat.answer();
  expect(await turnStatus(running?.id)).toBe('RUNNING');
  await chat.call(({ chat: it }) => it.stop());
  await until(async () => (await turnStatus(running?.id)) === 'CANCELLED');
  expect(await chat.status()).toBe('ready');
  await chat.page.close();
});

test('a question is a part of the answer, survives a reload, and is answered', async () => {
  const chat = await ChatPage.open();
  await chat.send(`@@tool ask_user ${form}\n@@reply Thanks: {{tool}}`);
  await chat.part('data-question');
  await chat.page.reload();
  expect(await chat.part('data-question')).toMatchObject({ data: { prompt: 'Which?', status: 'PENDING' } });
  await chat.call(async ({ chat: it, transport }) => {
    const question = it.messages.at(-1)?.parts.find((part) => part.type === 'data-question') as { id: string };
    await transport.answer({ interactionId: question.id, selectedOptionIds: ['b'] });
    await it.resumeStream();
  });
  await until(async () => ((await chat.shown()).at(-1) ?? '').startsWith('Thanks: '));
  expect(await chat.part('data-question')).toMatchObject({ data: { status: 'ANSWERED', selectedOptionIds: ['b'] } });
  expect((await chat.shown()).length).toBe(1);
  await chat.page.close();
});

test.each([
  [true, 'output-error'],
  [false, 'output-denied'],
])('an approval is that of the tool: approved %s', async (approved, state) => {
  const chat = await ChatPage.open();
  await chat.send(`@@tool query_dataset {"datasetId":"${randomUUID()}"}\n@@reply Done.`);
  const request = (await chat.part('dynamic-tool')) as { approval: { id: string } };
  await until(async () => (await chat.status()) === 'ready');
  await chat.page.evaluate(
    (response) => void (globalThis as unknown as Globals).chat.addToolApprovalResponse(response),
    { id: request.approval.id, approved, reason: 'because' },
  );
  await chat.said('Done.');
  // There is no such dataset: the tool was run, and failed.
  expect(await chat.part('dynamic-tool')).toMatchObject({ toolName: 'query_dataset', state });
  await chat.page.close();
});

test('a local tool is run by the page, once, also where the answer is read again', async () => {
  const chat = await ChatPage.open();
  await chat.send('@@tool clock {}\n@@reply It is {{tool}}');
  await until(async () => ((await chat.shown()).at(-1) ?? '').includes('five past ten'));
  expect(await chat.part('tool-clock')).toMatchObject({ state: 'output-available', output: 'five past ten' });
  expect(await chat.call(({ toolRuns }) => toolRuns)).toBe(1);
  await chat.page.close();
});

test('an answer is made anew in a copy of the conversation', async () => {
  const chat = await ChatPage.open();
  await chat.send('@@reply One');
  await chat.said('One');
  await chat.send('@@reply Two');
  await chat.said('Two');
  const before = await chat.answer();
  await chat.call(({ chat: it }) => it.regenerate());
  await chat.said('Two');
  const after = await chat.answer();
  expect(after?.id).not.toBe(before?.id);
  const session = await member.get(`/agents/sessions/${after?.metadata?.sessionId ?? ''}`);
  expect(session.body.data.messageCount).toBe(4);
  expect(after?.metadata?.sessionId).not.toBe(before?.metadata?.sessionId);
  await chat.page.close();
});

test('a refusal and a failure are the error of the chat', async () => {
  const chat = await ChatPage.open();
  await chat.call(({ chat: it }) => void it.sendMessage({ files: [] }));
  const refused = await until(() =>
    chat.call(({ chat: { error } }) => error && { name: error.name, code: error.code }),
  );
  expect(refused).toEqual({ name: 'SwitchyardError', code: 'VALIDATION_ERROR' });
  await chat.send('@@error 500');
  const failed = await until(() =>
    chat.call(({ chat: { error } }) => (error?.name === 'TurnFailedError' ? error.code : undefined)),
  );
  expect(failed).toBe('RUNTIME_UNAVAILABLE');
  await chat.page.close();
});
