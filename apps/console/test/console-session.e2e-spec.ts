import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let agentId: string;
let names: { here: string; there: string };
let there: { id: string; as: Client };

beforeAll(async () => {
  space = await platform.newSpace();
  const { owner } = space;
  const agent = await owner.post('/agents', {
    name: 'Only of the first Space',
    model: 'sim-chat',
    systemPrompt: 'You are brief.',
    tools: ['ask_user'],
  });
  expect(agent.status).toBe(201);
  agentId = agent.body.data.id;
  const task = await owner.post('/tasks', {
    name: 'Ran in the first Space',
    type: 'MANUAL',
    steps: [{ id: 'one', type: 'transform', with: { a: 1 } }],
  });
  expect(task.status).toBe(201);
  await owner.post(`/tasks/${task.body.data.id}/execute`, {});
  const other = await space.anotherOf(owner, `Other of ${space.id}`);
  const moved = await owner.post('/auth/login', {
    email: owner.identity.email,
    password: owner.identity.password,
    spaceId: other,
  });
  there = { id: other, as: owner.as(`Bearer ${moved.body.data.accessToken}`) };
  names = { here: (await owner.get(`/spaces/${space.id}`)).body.data.name, there: `Other of ${space.id}` };
  browser = await openBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/activity`);
  await signIn(page, owner);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}, 120_000);

afterAll(() => browser.close());

const button = (of: Page, name: string) => of.getByRole('button', { name, exact: true });
const message = (of: Page) => of.getByRole('textbox', { name: 'Message', exact: true });
const chats = (of: Page) => of.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' });
const lastAnswer = (of: Page) => of.getByRole('article', { name: 'Agent' }).last();

async function openChat(of: Page, words: string): Promise<void> {
  await of.goto(`${platform.url}/console/chat?new=1&agent=${agentId}`);
  await message(of).fill(words);
  await button(of, 'Send').click();
}

test('a chat that loses the network goes on where it stopped, and a new one begins while it streams', async () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  await openChat(page, `@@delay 300\n@@reply ${words}`);
  await lastAnswer(page).getByText('word2').waitFor();
  await context.setOffline(true);
  await button(page, 'Break connection').click();
  await page.getByRole('status').getByText('Reconnecting').waitFor();
  await context.setOffline(false);
  await page.getByRole('status').getByText('Connected again').waitFor();
  const first = new URL(page.url()).pathname;
  await message(page).fill('not sent yet');
  await button(page, 'New chat').click();
  await page.getByText('Start the conversation').waitFor();
  expect(await message(page).inputValue()).toBe('');
  await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Only of the first Space' });
  await message(page).fill('second chat');
  await button(page, 'Send').click();
  await lastAnswer(page).getByText('You said: second chat').waitFor();
  expect(new URL(page.url()).pathname).not.toBe(first);
  await page.locator(`a[href="${first}"]`).click();
  await until(async () => (await lastAnswer(page).innerText()).includes('word59') || undefined);
  const text = (await lastAnswer(page).locator('p').allInnerTexts()).join(' ');
  expect(text.split(/\s+/u)).toEqual(words.split(' '));
  // The end that is read stays in view where the window becomes another one, as a phone that is turned.
  await page.setViewportSize({ width: 740, height: 360 });
  const transcript = page.getByRole('log', { name: 'Transcript' });
  await until(
    async () => (await transcript.evaluate((of) => of.scrollHeight - of.scrollTop - of.clientHeight)) < 2 || undefined,
  );
  expect(await button(page, 'Jump to latest').count()).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await message(page).inputValue()).toBe('not sent yet');
  // Nor is it lost where the chat is left for another page.
  await goTo(page, 'Inbox');
  await page.goBack();
  await until(async () => (await message(page).inputValue()) === 'not sent yet' || undefined);
});

test('a session that ends in mid-work keeps what was written, and goes on after signing in again', async () => {
  await openChat(page, 'before');
  await lastAnswer(page).getByText('You said: before').waitFor();
  await button(page, 'Send').waitFor();
  await message(page).fill('written before it ended');
  const ended = await context.request.delete(`${platform.url}/console/session`, {
    headers: { 'x-switchyard-console': '1', origin: platform.url },
  });
  expect(ended.ok()).toBe(true);
  // The page may have found out by itself: then the button stands behind the question.
  await page.getByRole('button', { name: 'Send', exact: true, includeHidden: true }).dispatchEvent('click');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('textbox', { name: 'Password' }).fill(space.owner.identity.password ?? '');
  // A reading that fails behind it takes nothing away.
  await page.route('**/api/sessions/*', (route) =>
    route.fulfill({ status: 503, json: { code: 'X', message: 'Down' } }),
  );
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  await page.unrouteAll();
  // The error is shown in plain words.
  await page.getByText('Your session had ended: this was not done').first().waitFor();
  expect(await message(page).inputValue()).toBe('written before it ended');
  await button(page, 'Send').click();
  await lastAnswer(page).getByText('You said: written before it ended').waitFor();
});

test('two people answer one question: one of them is told that it has its answer', async () => {
  const rules = [{ tool: 'write_dataset', by: 'ADMIN' }];
  const guarded = await space.owner.post('/agents', {
    name: 'Asks first',
    model: 'sim-chat',
    systemPrompt: 'You are brief.',
    tools: ['write_dataset'],
    approvals: rules,
  });
  expect(guarded.status).toBe(201);
  const dataset = await space.owner.post('/datasets', {
    name: 'orders',
    schema: { fields: [{ name: 'item', type: 'string' }] },
  });
  expect(dataset.status).toBe(201);
  const call = { datasetId: dataset.body.data.id, operation: 'insert', records: [{ item: 'desk' }] };
  const reply = await space.owner.post(`/agents/${guarded.body.data.id}/chat`, {
    stream: false,
    contents: [{ type: 'text', text: `@@tool write_dataset ${JSON.stringify(call)}\n@@reply Ordered.` }],
  });
  expect(reply.body.data.status).toBe('WAITING_INPUT');
  const admin = await space.member('ADMIN');
  const otherContext = await browser.newContext();
  const other = await openPage(otherContext, platform.url, problems);
  await other.goto(`${platform.url}/console/inbox`);
  await signIn(other, admin);
  await goTo(page, 'Activity');
  await page.getByRole('link', { name: /^Inbox, / }).click();
  const deny = (of: Page) => of.getByRole('table', { name: 'Inbox' }).getByRole('button', { name: 'Deny' });
  await deny(page).waitFor();
  await deny(other).waitFor();
  // The other tab does not change until its user has answered.
  await other.route('**/api/interactions*', (route) => route.abort());
  await button(page, 'Approve').click();
  await page.getByText('No pending questions').waitFor();
  await deny(other).click();
  await other.getByRole('status').getByText('was answered before: Approve').first().waitFor();
  await other.unrouteAll();
  const rows = async (): Promise<unknown[]> =>
    (await space.owner.post(`/datasets/${dataset.body.data.id}/data/query`, {})).body.data;
  await until(async () => (await rows()).length === 1 || undefined);
  await otherContext.close();
});

test('a dialog gives the focus back to what opened it: a button, a menu, the page', async () => {
  await goTo(page, 'Jobs');
  const isFocused = (one: Locator): Promise<true> =>
    until(async () => (await one.evaluate((element) => element === element.ownerDocument.activeElement)) || undefined);
  const opener = button(page, 'Submit job');
  // The button goes to where the list would be, once it is known that there is none.
  await page.getByRole('table', { name: 'Jobs' }).or(page.getByText('No jobs yet')).first().waitFor();
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Submit job' }).waitFor();
  // Keys of the page do nothing behind a dialog.
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await isFocused(opener);
  await chats(page).click();
  // The page opens the newest chat by itself; the list is in order by then, and no chat overtakes another.
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}/u);
  const last = await page
    .getByRole('button', { name: /^More of/ })
    .last()
    .getAttribute('aria-label');
  const menu = button(page, String(last));
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
  const rename = page.getByRole('dialog', { name: 'Rename chat' });
  await rename.getByRole('textbox', { name: 'Title' }).fill('x'.repeat(2_000));
  await rename.getByRole('button', { name: 'Save' }).click();
  await rename.locator('[aria-invalid=true]').waitFor();
  await page.keyboard.press('Escape');
  await rename.getByRole('button', { name: 'Close without saving' }).click();
  await isFocused(menu);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('Jobs');
  await page.getByRole('option', { name: 'Jobs', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  await isFocused(page.getByRole('main'));
});

test('another Space shows nothing of this one, and a tab that stays behind writes nothing there', async () => {
  await goTo(page, 'Activity');
  await page.getByRole('table', { name: 'Activity' }).getByText('Ran in the first Space').first().waitFor();
  const second = await openPage(context, platform.url, problems);
  // It does not hear what other tabs say: it finds out when it asks.
  await second.addInitScript("Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} })");
  await second.goto(`${platform.url}/console/agents/new`);
  await second.getByRole('textbox', { name: 'Name', exact: true }).fill('Written in the second tab');
  await second.getByRole('combobox', { name: 'Model', exact: true }).selectOption('sim-chat');
  await second.getByRole('textbox', { name: 'Prompt', exact: true }).fill('You are brief.');
  await page.getByRole('button', { name: /^Space:/ }).click();
  await page.getByRole('menuitemcheckbox', { name: names.there }).click();
  await page.getByRole('button', { name: `Space: ${names.there}` }).waitFor();
  await page.getByRole('list', { name: 'First steps' }).waitFor();
  expect(await page.getByText('Ran in the first Space').count()).toBe(0);
  await goTo(page, 'Agents');
  await page.getByText('No agents yet').waitFor();
  expect(await page.getByText('Only of the first Space').count()).toBe(0);
  // It may have found out by itself: what stands behind the question is pressed nevertheless.
  await second.getByRole('button', { name: 'Create agent', exact: true, includeHidden: true }).dispatchEvent('click');
  const asks = second.getByRole('dialog', { name: 'You are in another Space now' });
  await asks.waitFor();
  expect((await there.as.get('/agents')).body.data).toEqual([]);
  await asks.getByRole('button', { name: `Back to ${names.here}` }).click();
  await asks.waitFor({ state: 'detached' });
  // A save that was held back goes on by itself; one that was refused is pressed again.
  const saved = second.getByRole('heading', { level: 1, name: 'Written in the second tab' });
  await until(async () => {
    if (await saved.isVisible()) return true;
    await button(second, 'Create agent')
      .click({ timeout: 1_000 })
      .catch(() => undefined);
    return undefined;
  });
  // The first tab hears of it, and goes along.
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Go to ${names.here}` })
    .click();
  await page.getByRole('table', { name: 'Activity' }).getByText('Ran in the first Space').first().waitFor();
  expect((await there.as.get('/agents')).body.data).toEqual([]);
});

test('a first visit asks to sign in without asking for anything that is refused', async () => {
  const visitor = await browser.newContext();
  const first = await openPage(visitor, platform.url, problems);
  const refused: string[] = [];
  first.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  first.on('console', (text) => {
    if (text.type() === 'error') refused.push(text.text());
  });
  await first.goto(`${platform.url}/console/agents`);
  await first.getByRole('textbox', { name: 'E-mail' }).waitFor();
  await signIn(first, space.owner);
  await first.getByRole('heading', { level: 1, name: 'Agents', exact: true }).waitFor();
  // One that has signed in goes on where it was, without the password.
  await first.reload();
  await first.getByRole('heading', { level: 1, name: 'Agents', exact: true }).waitFor();
  expect(refused).toEqual([]);
  await visitor.close();
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});
