import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The controller of threads that LangGraph's hooks are made of, bound to React, in a browser: what a user sees. */
const platform = usePlatform();
const ASK =
  '@@tool ask_user {"kind":"single_choice","prompt":"Which?","options":["red","blue"]}\n@@reply Noted {{tool}}.';

let browser: Browser;
let context: BrowserContext;
let space: TestSpace;
let key: Client;
let agentId: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-hook-page-'));
  const bundled = promisify(execFile)(process.execPath, [join(__dirname, 'hook-page/bundle.mjs'), folder]);
  space = await platform.newSpace();
  key = await space.key();
  const agent = { name: 'A', model: 'sim-chat', systemPrompt: 'You test.', tools: ['ask_user'] };
  agentId = (await space.owner.post('/agents', agent)).body.data.id;
  browser = await chromium.launch({
    executablePath: process.env['SWITCHYARD_TEST_CHROMIUM'],
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  context = await browser.newContext();
  await bundled;
  const script = readFileSync(join(folder, 'page.js'), 'utf8');
  // The page comes from the platform's own host, as behind a proxy that serves both.
  await context.route(`${platform.url}/hook-page**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<body><script type="module" src="/hook-page.js"></script>' }),
  );
  await context.route(`${platform.url}/hook-page.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
}, 120_000);

// Each has two streams, of the six connections that a browser has to a host.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Globals {
  chat: {
    threadId: string;
    interrupt?: { id: string; value: { prompt: string; options: { id: string; label: string }[] } };
    controller: {
      submit(input: object): Promise<void>;
      respond(response: object, target: { interruptId: string }): Promise<void>;
      stop(): Promise<void>;
    };
  };
}

/** One chat in a page of its own. */
class ChatPage {
  /** Errors between page and platform, printed when a test fails. */
  private readonly troubles: string[] = [];

  private constructor(readonly page: Page) {
    page.on('pageerror', ({ message }) => this.troubles.push(message));
    page.on('requestfailed', (request) =>
      this.troubles.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
    );
    page.on('response', (response) => {
      if (!response.ok()) this.troubles.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
    });
  }

  static async open(): Promise<ChatPage> {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const query = new URLSearchParams({ agentId, credential: key.credential });
    await page.goto(`${platform.url}/hook-page?${query.toString()}`);
    await page.waitForSelector('main', { state: 'attached' });
    return new ChatPage(page);
  }

  /** Begins to say it, and does not wait for the answer. */
  send(text: string): Promise<void> {
    return this.page.evaluate((content) => {
      const { chat } = globalThis as unknown as Globals;
      void chat.controller.submit({ messages: [{ type: 'human', content }] });
    }, text);
  }

  /** All messages as they stand on the page, the user's as well. */
  async shown(): Promise<string[]> {
    return this.page.locator('p').evaluateAll((all) => all.map((each) => `${each.className}: ${each.textContent}`));
  }

  async reads(expected: string[]): Promise<void> {
    let shown: string[] = [];
    const isThere = async (): Promise<boolean> => {
      shown = await this.shown();
      return JSON.stringify(shown) === JSON.stringify(expected) && (await this.status()) === 'ready';
    };
    const isMissing = await until(isThere, { timeoutMs: 60_000 }).then(
      () => false,
      () => true,
    );
    expect(isMissing ? [...shown, ...this.troubles] : shown).toEqual(expected);
  }

  status(): Promise<string | null> {
    return this.page.locator('main').getAttribute('data-status');
  }

  call<T>(work: (globals: Globals) => Promise<T> | T): Promise<T> {
    return this.page.evaluate(`(${work.toString()})(globalThis)`);
  }

  /** The newest turn of the thread. */
  async turnStatus(): Promise<string> {
    const threadId = await this.call(({ chat }) => chat.threadId);
    const { body } = await key.raw('GET', `/langgraph/threads/${threadId}/state`, undefined);
    const { run_id: turnId } = (body as { metadata: { run_id: string } }).metadata;
    return (await space.owner.get(`/agents/${agentId}/turns/${turnId}`)).body.data.status;
  }
}

describe('a thread of LangGraph on a page', () => {
  it('shows each message once, goes on, and is the same after a reload', async () => {
    const chat = await ChatPage.open();
    const shown = ['human: @@reply one two', 'ai: one two'];
    await chat.send('@@reply one two');
    await chat.reads(shown);
    await chat.send('@@reply three');
    shown.push('human: @@reply three', 'ai: three');
    await chat.reads(shown);
    await chat.page.reload();
    await chat.reads(shown);
    await chat.send('@@reply four');
    await chat.reads([...shown, 'human: @@reply four', 'ai: four']);
  });

  it('is read on after a reload in the middle of an answer, with nothing twice', async () => {
    const chat = await ChatPage.open();
    const words = '@@delay 60\n@@tokens 60';
    await chat.send(words);
    // Some words of the answer: by then the server has the thread, which the user's own message does not say.
    await until(async () => /^ai: .{20}/u.test((await chat.shown()).at(-1) ?? ''));
    await chat.page.reload();
    await until(async () => (await chat.turnStatus()) === 'COMPLETED', { timeoutMs: 60_000 });
    const { values } = (
      await key.raw(
        'GET',
        `/langgraph/threads/${await chat.call(({ chat: { threadId } }) => threadId)}/state`,
        undefined,
      )
    ).body as { values: { messages: { content: string }[] } };
    const answer = values.messages.at(-1)?.content ?? '';
    expect(answer.split(' ').filter((word) => word !== '')).toHaveLength(60);
    await chat.reads([`human: ${words}`, `ai: ${answer}`]);
  });

  it('is stopped at the model', async () => {
    const chat = await ChatPage.open();
    await chat.send('@@delay 300\n@@tokens 200');
    await until(async () => (await chat.shown()).length === 2);
    await chat.call(({ chat: { controller } }) => controller.stop());
    await until(async () => (await chat.turnStatus()) === 'CANCELLED');
    expect(await chat.status()).toBe('ready');
  });

  it('is interrupted by a question, also after a reload, and goes on with the answer', async () => {
    const chat = await ChatPage.open();
    await chat.send(ASK);
    const request = (): Promise<string> =>
      until(async () => (await chat.call(({ chat: { interrupt } }) => interrupt?.value.prompt)) ?? undefined);
    expect(await request()).toBe('Which?');
    await chat.page.reload();
    expect(await request()).toBe('Which?');
    await chat.call(({ chat: { controller, interrupt } }) => {
      const chosen = interrupt?.value.options.find(({ label }) => label === 'blue');
      const answer = { selectedOptionIds: [chosen?.id], otherText: null };
      return controller.respond(answer, { interruptId: interrupt?.id ?? '' });
    });
    await until(async () => ((await chat.shown()).at(-1) ?? '').includes('blue'), { timeoutMs: 60_000 });
    await until(async () => (await chat.status()) === 'ready' && (await chat.turnStatus()) === 'COMPLETED');
    expect(await chat.call(({ chat: { interrupt } }) => interrupt === undefined)).toBe(true);
  });
});
