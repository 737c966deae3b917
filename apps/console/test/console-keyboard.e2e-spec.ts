import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openPage } from './support/browser';
import { isFocused, tabTo } from './support/keyboard';
import { WIDE } from './support/look';

// The main deeds from the sign-in on, by keys alone: nothing here clicks, focuses or opens an address.
const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser | undefined;
let page: Page;

const make = async (path: string, body: object): Promise<string> => {
  const answer = await space.owner.post(path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data.id as string;
};

beforeAll(async () => {
  space = await platform.newSpace();
  await make('/tasks', {
    name: 'Nightly report',
    steps: [{ id: 'note', type: 'transform', with: { day: '{{ execution.inputs.day }}' } }],
  });
  const agentId = await make('/agents', {
    name: 'Archive',
    model: 'sim-chat',
    systemPrompt: '@@@tool save_memory {"text":"Glass breaks"}\n@@@reply Saved: {{tool}}',
    tools: ['save_memory'],
    approvals: [{ tool: '*' }],
  });
  const contents = [{ type: 'text', text: 'Remember this' }];
  const turn = await space.owner.post(`/agents/${agentId}/chat`, { contents, stream: false });
  expect(turn.body.data.status).toBe('WAITING_INPUT');
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/keys`);
}, 120_000);

afterAll(() => browser?.close());

const control = (role: 'button' | 'textbox' | 'checkbox' | 'radio' | 'combobox', name: string): Locator =>
  page.getByRole(role, { name, exact: true });
const type = (text: string): Promise<void> => page.keyboard.type(text);
const press = async (name: string): Promise<void> => {
  await tabTo(control('button', name));
  await page.keyboard.press('Enter');
};
const write = async (name: string, text: string): Promise<void> => {
  await tabTo(control('textbox', name));
  await type(text);
};
/** Opens a page or a record by the search. */
async function find(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.waitFor();
  await until(async () => (await isFocused(search.getByRole('combobox'))) || undefined);
  await type(name);
  await page.getByRole('option', { name, exact: true, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await search.waitFor({ state: 'detached' });
}
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

test('sign in, create a key and store its value', async () => {
  await write('E-mail', space.owner.identity.email ?? '');
  await write('Password', space.owner.identity.password ?? '');
  await page.keyboard.press('Enter');
  await heading('Keys');
  await press('Create key');
  await write('Name', 'By keys');
  await press('Create key');
  const stored = control('checkbox', 'I have stored it');
  await stored.waitFor();
  // Escape does not close a value that is shown once.
  await page.keyboard.press('Escape');
  await tabTo(stored);
  await page.keyboard.press('Space');
  await press('Done');
  await page.getByRole('row', { name: /^By keys/ }).waitFor();
}, 240_000);

test('create an agent', async () => {
  await find('Agents');
  await heading('Agents');
  await press('Create agent');
  await write('Name', 'Painter');
  await tabTo(control('combobox', 'Model'));
  await type('sim-chat');
  await write('Prompt', 'You are brief.');
  await tabTo(page.getByRole('checkbox', { name: /^ask_user/ }));
  await page.keyboard.press('Space');
  await press('Create agent');
  await heading('Painter');
}, 240_000);

test('chat with it, and answer its question', async () => {
  await find('Chat');
  await press('New chat');
  await tabTo(control('combobox', 'Agent'));
  await type('Painter');
  const option = { id: 'a', label: 'Alpha' };
  const question = { kind: 'single_choice', prompt: 'Which?', options: [option, { id: 'b', label: 'Beta' }] };
  await write('Message', `@@tool ask_user ${JSON.stringify(question)}`);
  await page.keyboard.press('Shift+Enter');
  await type('@@reply Chosen: {{tool}}');
  await page.keyboard.press('Enter');
  await tabTo(control('radio', 'Alpha'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Agent' }).last();
  await until(async () => /Chosen:[^]*Beta/u.test(await answer.innerText()) || undefined);
}, 240_000);

test('approve a call in the inbox', async () => {
  await find('Inbox');
  await page.getByRole('table', { name: 'Inbox' }).getByText('Archive').first().waitFor();
  await press('Approve');
  await page.getByRole('region', { name: 'Decided' }).getByRole('listitem').filter({ hasText: 'Archive' }).waitFor();
}, 240_000);

test('run a task with inputs', async () => {
  await find('Nightly report');
  await heading('Nightly report');
  await press('Run');
  const dialog = page.getByRole('dialog', { name: /^Run/ });
  await tabTo(dialog.getByRole('textbox', { name: 'Inputs', exact: true }));
  await page.keyboard.press('Control+a');
  await type('{"day":"Monday"}');
  await tabTo(dialog.getByRole('button', { name: 'Run', exact: true }));
  await page.keyboard.press('Enter');
  await control('button', 'Rerun').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { body } = await space.owner.get(`/tasks/executions/${id}`);
  expect(body.data.inputs).toEqual({ day: 'Monday' });
  expect(problems).toEqual([]);
}, 240_000);
