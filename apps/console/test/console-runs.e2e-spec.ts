import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { source as axe } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const hostile = '<img src=x onerror="document.title=1"> [go](javascript:alert(1)) \u202Eright to left 🚂';
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;
/** Pages of records that the tests have made. */
const records: string[] = [];

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
  records.push(new URL(page.url()).pathname);
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
  records.push(new URL(page.url()).pathname);
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
  records.push(new URL(page.url()).pathname);
  await button('Run').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Inputs', exact: true }).fill('{"order": 7}');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Succeeded').first().waitFor();
  expect(await page.getByLabel('Output', { exact: true }).first().innerText()).toContain('7');
  records.push(new URL(page.url()).pathname);
  await page.getByRole('main').getByRole('link', { name: 'Causes', exact: true }).click();
  await page
    .getByRole('tree', { name: 'Causes' })
    .getByText(/Console task/)
    .first()
    .waitFor();
  records.push(new URL(page.url()).pathname);
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

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** Lists by their link, records by their address; shown with their data. */
async function show(shown: Page, place: string): Promise<void> {
  if (place.startsWith('/')) {
    await shown.goto(`${platform.url}${place}`);
    await shown.getByRole('heading', { level: 1 }).first().waitFor();
  } else await goTo(shown, place);
  await until(async () => (await shown.getByRole('status', { name: /^Loading/ }).count()) === 0 || undefined);
}

test('axe finds nothing, and nothing is wider than a small phone', async () => {
  const found: string[] = [];
  const look = async (place: string, colorScheme: 'light' | 'dark'): Promise<void> => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    // All but the colours is the same in the dark.
    const options = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
    const violations = await page.evaluate<Finding[]>(
      `${axe}; axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    for (const { id, nodes } of violations)
      found.push(`${place} ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  const lists = ['Activity', 'Inbox', 'Agents', 'Tasks', 'Jobs', 'Keys', 'Secrets', 'Members'];
  for (const place of [...lists, ...records]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await show(page, place);
    await look(place, 'light');
    await look(place, 'dark');
    await page.setViewportSize({ width: 360, height: 740 });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > 360) found.push(`${place}: ${width} px wide`);
  }
  expect(found).toEqual([]);
}, 120_000);

const deeds =
  /^(New (agent|task|dataset|key|secret)|Submit job|Add (member|step)|Save|Run|Rerun|Retry|Cancel|Delete|Approve|Deny|Answer|Revoke|Rotate|Remove|Restore)\b/;

test('a VIEWER sees no button that would be refused', async () => {
  const context = await browser.newContext();
  const refused: string[] = [];
  const viewer = await openPage(context, platform.url, problems);
  viewer.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
  });
  await viewer.goto(`${platform.url}/console/activity`);
  await signIn(viewer, await space.member('VIEWER'));
  await viewer.getByRole('navigation', { name: 'Main' }).waitFor();
  for (const hidden of ['Keys', 'Secrets', 'Members'])
    expect(await viewer.getByRole('link', { name: hidden, exact: true }).count()).toBe(0);
  const offered: string[] = [];
  // The chat is its owner's alone.
  const open = records.filter((place) => !place.includes('/chat/'));
  for (const place of ['Activity', 'Inbox', 'Agents', 'Tasks', 'Jobs', ...open]) {
    await show(viewer, place);
    for (const name of await viewer.getByRole('main').getByRole('button').allInnerTexts())
      if (deeds.test(name)) offered.push(`${place}: ${name}`);
  }
  await viewer.goto(`${platform.url}/console/chat`);
  await viewer.getByRole('combobox', { name: 'Agent' }).selectOption({ label: `Helper ${hostile}` });
  await viewer.getByRole('textbox', { name: 'Message', exact: true }).fill('hello');
  await viewer.getByRole('button', { name: 'Send', exact: true }).click();
  await viewer.getByText('You said: hello').waitFor();
  await viewer.getByRole('button', { name: 'Copy message' }).first().waitFor();
  expect(await viewer.getByRole('button', { name: /^(Edit and fork|More of)/ }).count()).toBe(0);
  expect(offered).toEqual([]);
  expect(refused).toEqual([]);
  await context.close();
}, 120_000);

test('nothing of it broke, nothing was refused by the policy, and it asked nobody but us', () => {
  expect(problems).toEqual([]);
});
