import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const hostile = '<img src=x onerror="document.title=1"> [go](javascript:alert(1)) \u202Eright to left 🚂';
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', {
    name: `Helper ${hostile}`,
    model: 'sim-chat',
    systemPrompt: 'You are brief.',
    tools: ['ask_user'],
  });
  expect(agent.status).toBe(201);
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/chat`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const transcript = () => page.getByRole('log', { name: 'Transcript' });
const answer = () => transcript().getByRole('article', { name: 'Agent' }).last();
const say = async (text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await button('Send').click();
};

/** Enough for a break and a reload in mid-stream, on slow machines too. */
const SLOWLY = '@@delay 400';
const words = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ');

test('a chat that is broken and reloaded in mid-stream is whole, once', async () => {
  await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: `Helper ${hostile}` });
  await say(`${SLOWLY}\n@@reply ${words}`);
  await answer().getByText('word3').waitFor();
  await button('Break connection').click();
  await page.getByRole('status').getByText('Connected again').waitFor();
  await page.reload();
  // It goes on, and is taken up.
  await button('Break connection').waitFor();
  await button('Send').waitFor();
  await until(async () => (await answer().innerText()).replaceAll(/\s+/gu, ' ').includes('word39') || undefined);
  const said = (await answer().locator('p').allInnerTexts()).join(' ');
  expect(said.split(/\s+/u)).toEqual(words.split(' '));
  await button('Frames').click();
  await page.getByRole('log', { name: 'Frames' }).waitFor();
  await button('Close frames').click();
});

test('what is hostile stays text', async () => {
  await say(hostile);
  await answer().getByText('You said:').waitFor();
  await button('Send').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  expect(await transcript().getByRole('article', { name: 'You' }).last().innerText()).toContain(hostile);
  await goTo(page, 'Agents');
  await page
    .getByRole('table', { name: 'Agents' })
    .getByRole('link', { name: `Helper ${hostile}` })
    .click();
  await page.getByRole('heading', { level: 1, name: `Helper ${hostile}` }).waitFor();
  expect(await page.locator('img').count()).toBe(0);
});

test('a question of an agent is answered from the inbox', async () => {
  await goTo(page, 'Activity');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click();
  const question = {
    kind: 'single_choice',
    prompt: `Which one? ${hostile}`,
    options: ['Alpha', 'Beta'].map((label) => ({ id: label, label })),
  };
  await say(`@@tool ask_user ${JSON.stringify(question)}\n@@reply Chosen: {{tool}}`);
  await answer().getByRole('button', { name: 'Answer' }).waitFor();
  await page.getByRole('link', { name: 'Inbox, 1', exact: true }).click();
  await page.getByRole('radio', { name: 'Beta' }).check();
  await button('Answer').click();
  await page.getByText('No pending questions').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click();
  await answer().getByText('Chosen:').waitFor();
  expect(await answer().innerText()).toContain('Beta');
});

test('a task is made and run, and its causes are shown', async () => {
  await goTo(page, 'Tasks');
  await button('New task').first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Console task ${hostile}`);
  await button('Add step').click();
  await button('Save').click();
  await page.getByRole('heading', { level: 1, name: /^Console task/ }).waitFor();
  await button('Run').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Inputs', exact: true }).fill('{"order": 7}');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Succeeded').first().waitFor();
  expect(await page.getByLabel('Output', { exact: true }).first().innerText()).toContain('7');
  await page.getByRole('main').getByRole('link', { name: 'Causes', exact: true }).click();
  await page
    .getByRole('tree', { name: 'Causes' })
    .getByText(/Console task/)
    .first()
    .waitFor();
  expect(await page.locator('img').count()).toBe(0);
});

test('an agent is made', async () => {
  await goTo(page, 'Agents');
  await button('New agent').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Made here');
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('sim-chat');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('You are brief.');
  await button('Save').click();
  await page.getByRole('heading', { level: 1, name: 'Made here' }).waitFor();
});

test('nothing of it broke, nothing was refused by the policy, and it asked nobody but us', () => {
  expect(problems).toEqual([]);
});
