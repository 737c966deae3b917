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
const send = async (text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await button('Send').click();
};

/** Enough for a break and a reload in mid-stream, on slow machines too. */
const SLOWLY = '@@delay 400';
const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');

test('a chat that is broken and reloaded in mid-stream is whole, once', async () => {
  await page.getByRole('combobox', { name: 'Agent' }).selectOption({ label: `Helper ${hostile}` });
  await send(`${SLOWLY}\n@@reply ${words}`);
  await answer().getByText('word3').waitFor();
  await button('Break connection').click();
  await page.getByRole('status').getByText('Connected again').waitFor();
  await page.reload();
  // It goes on, and is taken up.
  await button('Break connection').waitFor();
  await button('Send').waitFor();
  await until(async () => (await answer().innerText()).replaceAll(/\s+/gu, ' ').includes('word39') || undefined);
  const text = (await answer().locator('p').allInnerTexts()).join(' ');
  expect(text.split(/\s+/u)).toEqual(words.split(' '));
  await button('Frames').click();
  await page.getByRole('log', { name: 'Frames' }).waitFor();
  await button('Close frames').click();
});

test('what is hostile stays text', async () => {
  await send(hostile);
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

test('a question with several options asks for one where none is chosen', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click();
  const question = {
    kind: 'multiple_choice',
    prompt: 'Which ones?',
    options: ['Gamma', 'Delta'].map((label) => ({ id: label, label })),
  };
  await send(`@@tool ask_user ${JSON.stringify(question)}\n@@reply Taken: {{tool}}`);
  await answer().getByRole('button', { name: 'Answer' }).click();
  await answer().getByRole('alert').getByText('Choose at least one.').waitFor();
  await answer().getByRole('checkbox', { name: 'Delta' }).check();
  await answer().getByRole('button', { name: 'Answer' }).click();
  await answer().getByText('Taken:').waitFor();
});

test('a question of an agent is answered from the inbox', async () => {
  await goTo(page, 'Activity');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click();
  const question = {
    kind: 'single_choice',
    prompt: `Which one? ${hostile}`,
    options: ['Alpha', 'Beta'].map((label) => ({ id: label, label })),
  };
  await send(`@@tool ask_user ${JSON.stringify(question)}\n@@reply Chosen: {{tool}}`);
  await answer().getByRole('button', { name: 'Answer' }).waitFor();
  await page.getByRole('link', { name: 'Inbox, 1', exact: true }).click();
  // Until it is loaded, the chat stays, with the same question.
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.getByRole('radio', { name: 'Beta' }).check();
  await button('Answer').click();
  await page.getByText('No pending questions').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click();
  await answer().getByText('Chosen:').waitFor();
  expect(await answer().innerText()).toContain('Beta');
});

/** Of the causes of the execution, and of the turn that asked. */
let causesPath = '';
let turnPath = '';

test('a task is made and run, and its causes are shown', async () => {
  await goTo(page, 'Tasks');
  await button('Create task').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Console task ${hostile}`);
  await button('Add step').click();
  await button('Create task').click();
  await page.getByRole('heading', { level: 1, name: /^Console task/ }).waitFor();
  await button('Run').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Inputs', exact: true }).fill('{"order": 7}');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Done', { exact: true }).first().waitFor();
  expect(await page.getByLabel('Output', { exact: true }).first().innerText()).toContain('7');
  await page.getByRole('main').getByRole('link', { name: 'Causes', exact: true }).click();
  await page
    .getByRole('tree', { name: 'Causes' })
    .getByText(/Console task/)
    .first()
    .waitFor();
  causesPath = new URL(page.url()).pathname;
  expect(await page.locator('img').count()).toBe(0);
});

/** Invalid search parameters, which pages ignore. */
const NONSENSE = [
  '/activity?kind=nonsense&status=["x"]&user=me&from=yesterday&to={"a":1}',
  '/events?status=1&source=null&from=[]&correlationId=all',
  '/jobs?phase={}',
  '/keys?status=GONE',
  '/usage?days=8&by=["day"]',
  '/agents?q={"a":[1]}',
  '/datasets?q=[1]',
  '/chat?new=1&agent=nobody',
];

test('a link that says nonsense breaks no page, and the curve is read and brushed by keys', async () => {
  for (const path of NONSENSE) {
    await page.evaluate(
      `history.pushState({ ...history.state, __TSR_index: (history.state?.__TSR_index ?? 0) + 1 }, '', ${JSON.stringify(`/console${path}`)})`,
    );
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const loading = page.locator('main .shimmer');
    await until(async () => (await loading.count()) === 0 || undefined);
    expect({ path, errors: await page.getByRole('main').getByRole('alert').allInnerTexts() }).toEqual({
      path,
      errors: [],
    });
  }
  await page.goto(`${platform.url}/console${NONSENSE[0]}`);
  await page.getByRole('table', { name: 'Activity' }).getByRole('row').nth(1).waitFor();
  const search = (): URLSearchParams => new URL(page.url()).searchParams;
  await until(() => Promise.resolve(search().size === 0 || undefined));
  const curve = page.getByRole('slider', { name: 'Counts by state, point in time' });
  const hours = (): number =>
    (Date.parse(search().get('to') ?? '') - Date.parse(search().get('from') ?? '')) / 3_600_000;
  const chooses = async (keys: string[], wide: number): Promise<void> => {
    await curve.focus();
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await until(() => Promise.resolve(hours() === wide || undefined));
  };
  await curve.focus();
  // In the last hour, or the one before when a new one has just begun.
  await until(async () => {
    const sent: string[] = [];
    for (const key of ['End', 'ArrowLeft']) {
      await page.keyboard.press(key);
      sent.push((await curve.getAttribute('aria-valuetext')) ?? '');
    }
    return sent.some((values) => /: Done [1-9]/u.test(values)) || undefined;
  });
  await chooses(['End'], 1);
  await chooses(['End', 'Shift+ArrowLeft', 'Shift+ArrowLeft'], 3);
  await button('Clear filters').click();
});

test('a part of the console that is not there any more takes nothing else away', async () => {
  await page.goto(`${platform.url}/console/agents/new`);
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Half written');
  // As after a deployment: the page is of the build before.
  await page.route(/\/palette-[^/]*\.js$/u, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.keyboard.press('Control+k');
  const text = page.getByRole('status').filter({ hasText: 'A part of the console could not be loaded' });
  await text.getByRole('button', { name: 'Reload' }).waitFor();
  expect(await name.inputValue()).toBe('Half written');
  await page.unrouteAll();
  page.once('dialog', (dialog) => void dialog.accept());
  await text.getByRole('button', { name: 'Reload' }).click();
  await text.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Create agent' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
});

test('a record is read beside the list, which keeps its filters and its place', async () => {
  await goTo(page, 'Activity');
  const table = page.getByRole('table', { name: 'Activity' });
  const open = page.getByRole('complementary', { name: 'Record' });
  const shown = (): string => new URL(page.url()).pathname;
  await page.getByRole('combobox', { name: 'User' }).selectOption({ label: 'Me' });
  const link = table.getByRole('link', { name: /^Console task/ }).first();
  // Rows move when the filtered list arrives, so a click may meet another row.
  await until(async () => {
    await link.click();
    return shown().startsWith('/console/activity/execution/') || undefined;
  });
  await open.getByRole('group', { name: 'Output' }).getByText('7').first().waitFor();
  const execution = shown();
  expect(execution).toMatch(/\/activity\/execution\/[0-9a-f-]+$/u);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('turn');
  await table.getByRole('link', { name: /^Console task/ }).waitFor({ state: 'detached' });
  // It is not on the list any more, and still what one reads.
  await open.getByRole('group', { name: 'Output' }).getByText('7').first().waitFor();
  await table.getByRole('link').first().click();
  await open.getByText('ask_user').first().waitFor();
  await open.getByRole('button', { name: 'Load frames' }).click();
  await open.getByRole('list', { name: 'Frames' }).getByText('ask_user').first().waitFor();
  const turn = shown();
  turnPath = turn;
  await page.goBack();
  await until(() => shown() === execution || undefined);
  await open.getByRole('heading', { name: /^Console task/ }).waitFor();
  await page.goForward();
  await until(() => shown() === turn || undefined);
  await open.getByRole('button', { name: 'Close record' }).click();
  await open.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toContain('kind=turn');
  // All that is shown is chosen at once, and what was chosen by hand can be let go.
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  const rows = await table.getByRole('checkbox').count();
  await page.getByText(`${rows} selected`, { exact: true }).waitFor();
  await button('Clear selection').click();
  // A period is chosen by keys as well.
  await button('Custom').click();
  await page.getByLabel('From', { exact: true }).fill('2030-01-01T10:00');
  await page.keyboard.press('Enter');
  await page.getByText('No results for these filters').waitFor();
  await button('Clear filters').click();
  await table.getByRole('link').first().waitFor();
});

test('a node of a tree of causes shows what went in and out, and stays in the URL', async () => {
  await page.goto(`${platform.url}${causesPath}`);
  const selected = page.getByRole('complementary', { name: 'Selected record' });
  const tree = page.getByRole('tree', { name: 'Causes' });
  await selected.getByRole('group', { name: 'Output' }).getByText('7').first().waitFor();
  await tree.getByRole('treeitem').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await selected.getByText('Step', { exact: true }).waitFor();
  await selected.getByRole('group', { name: 'Input' }).waitFor();
  await until(() => page.url().includes('record=step') || undefined);
  await page.reload();
  await selected.getByText('Step', { exact: true }).waitFor();
  // On a phone a bar stands below its record.
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await tree.locator('[style*="width"]').first().isVisible()).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${platform.url}${turnPath.replace('/activity/', '/causes/')}`);
  await selected.getByText('Frames', { exact: true }).waitFor();
  await tree.getByText('ask_user').first().click();
  await selected.getByRole('group', { name: 'Input' }).getByText('Alpha').first().waitFor();
  await selected.getByText('Beta').first().waitFor();
});

test('an agent is made', async () => {
  await goTo(page, 'Agents');
  await button('Create agent').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Made here');
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('sim-chat');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('You are brief.');
  await button('Create agent').click();
  await page.getByRole('heading', { level: 1, name: 'Made here' }).waitFor();
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});
