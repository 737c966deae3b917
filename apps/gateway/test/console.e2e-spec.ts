import { execFileSync } from 'node:child_process';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type Browser, type Page, chromium } from 'playwright-core';

const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await chromium.launch({
    executablePath: process.env['SWITCHYARD_TEST_CHROMIUM'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(platform.state.url) && !request.url().startsWith('data:'))
      problems.push(`asked ${request.url()}`);
  });
}, 120_000);

afterAll(() => browser.close());

const see = (text: string | RegExp): Promise<true> =>
  until(async () => (await page.getByText(text).first().isVisible()) || undefined, { timeoutMs: 60_000 });
const open = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

test('a wrong password is refused, the right one opens the Space', async () => {
  await page.goto(`${platform.state.url}/console`);
  await page.getByLabel('E-mail').fill(space.owner.identity.email ?? '');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await see(/UNAUTHORIZED/);
  await page.getByLabel('Password').fill(space.owner.identity.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await see('Tokens left');
});

test('an agent is made, answers as a stream, and asks its question', async () => {
  await open('Agents');
  await page.getByText('Create an agent', { exact: true }).first().click();
  await page.getByLabel('name', { exact: true }).fill('Console helper');
  await page.getByLabel('systemPrompt').fill('You are brief.');
  await page.getByRole('button', { name: 'Create an agent' }).click();
  await page.getByLabel('Message').fill('<img src=x onerror=alert(1)> hello');
  await page.getByRole('button', { name: 'Send' }).click();
  await see('You said: <img src=x onerror=alert(1)> hello');
  await page
    .getByLabel('Message')
    .fill(
      '@@tool ask_user {"kind":"single_choice","prompt":"Which one?","options":[{"id":"a","label":"Alpha"},{"id":"b","label":"Beta"}]}\n@@reply Chosen: {{tool}}',
    );
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByLabel('Beta').check();
  await page.getByRole('button', { name: 'Answer' }).click();
  await see(/^Chosen:/);
  expect(await page.locator('img').count()).toBe(0);
});

const runInShell = (command: string): string => execFileSync('bash', ['-c', command], { encoding: 'utf8' });

test('a key is shown once, with calls to try, and revoked', async () => {
  await open('API keys');
  await page.getByText('Create a key', { exact: true }).first().click();
  await page.getByLabel('name', { exact: true }).fill('from the console');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const key = await page.locator('.secret').textContent();
  expect(key).toMatch(/^[0-9A-Za-z]{40}$/);
  expect((await space.owner.as(`Bearer ${key ?? ''}`).get('/auth/me')).status).toBe(200);
  // The first calls stand beside it, with the reader's own key and agent: they are there to be pasted into a shell.
  const shown = await page.locator('.call').allTextContents();
  const [agents = '', chat = '', relay = ''] = shown;
  expect(runInShell(agents)).toContain('"name":"Console helper"');
  expect(runInShell(chat)).toContain('"event":"stream-ended","status":"COMPLETED"');
  expect(runInShell(relay)).toContain('You said: Hello!');
  expect(JSON.parse(shown[3] ?? '')).toMatchObject({
    mcpServers: { switchyard: { url: `${platform.url}/mcp`, headers: { Authorization: `Bearer ${key ?? ''}` } } },
  });
  await open('Overview');
  await open('API keys');
  await see('from the console');
  expect(await page.content()).not.toContain(key);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await until(async () => (await space.owner.as(`Bearer ${key ?? ''}`).get('/auth/me')).status === 401 || undefined);
});

test.each(['Sessions', 'Jobs', 'Tasks', 'Datasets', 'Events', 'Space', 'Overview'])('%s opens', async (name) => {
  await open(name);
  await until(async () => (await page.getByRole('heading', { name, exact: true }).count()) > 0 || undefined);
  expect(await page.locator('.error').count()).toBe(0);
});

test('a reload keeps the sign-in, signing out ends it', async () => {
  await page.reload();
  await see('Tokens left');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await see('Password');
  await page.reload();
  await see('Password');
});

test('nothing of it broke, and it asked nobody but us', () => {
  expect(problems).toEqual([]);
});
