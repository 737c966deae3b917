import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone } from './support/look';

// The activity says first what matters: what failed, what waits, and the rest grouped.
const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;

async function made(path: string, body: object): Promise<string> {
  const answer = await space.owner.post(path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body.data.id as string;
}

const RUNS = 6;
const QUESTION = {
  kind: 'single_choice',
  prompt: 'Which colour?',
  options: ['Red', 'Blue'].map((label) => ({ id: label, label })),
};

beforeAll(async () => {
  space = await platform.newSpace();
  const task = (name: string, step: object, inputs: object = {}): Promise<string> =>
    made('/tasks', { name, inputs, steps: [{ id: 'only', ...step }] });
  const reportId = await task('Nightly report', { type: 'transform', with: { text: 'fine' } });
  // No task may call this address.
  const http = { type: 'http', with: { url: '{{ execution.inputs.address }}' } };
  const brokenId = await task('Import orders', http, { address: 'http://127.0.0.1:9/' });
  const agentId = await made('/agents', {
    name: 'Painter',
    model: 'sim-chat',
    systemPrompt: `@@@tool ask_user ${JSON.stringify(QUESTION)}`,
    tools: ['ask_user'],
  });
  for (let run = 0; run < RUNS; run += 1) await made(`/tasks/${reportId}/execute`, {});
  await made(`/tasks/${brokenId}/execute`, {});
  const contents = [{ type: 'text', text: 'Paint the lamp' }];
  expect((await space.owner.post(`/agents/${agentId}/chat`, { contents, stream: false })).status).toBe(200);
  const ended = async (): Promise<boolean> => {
    const { data } = (await space.owner.get('/activity?kind=execution&status=SUCCEEDED&status=FAILED')).body;
    return data.length === RUNS + 1;
  };
  await until(async () => (await ended()) || undefined);
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/activity`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const table = () => page.getByRole('table', { name: 'Activity' });
const summary = () => page.getByRole('region', { name: 'Summary' });
const search = (): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

test('one line says what failed, what waits and what is fine, and leads there', async () => {
  await summary().getByRole('link', { name: '1 failed' }).waitFor();
  await summary()
    .getByRole('link', { name: `${RUNS} fine` })
    .waitFor();
  await summary().getByRole('link', { name: '1 waits for you' }).waitFor();
  expect(await summary().innerText()).toBe(`1 failed, 1 waits for you, ${RUNS} fine in the last 24 hours`);
  await summary().getByRole('link', { name: '1 waits for you' }).click();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.getByText('Which colour?').first().waitFor();
  await page.goBack();
  await summary().getByRole('link', { name: '1 failed' }).click();
  await until(() => Promise.resolve(search()['status'] === 'failed' || undefined));
  await table().getByText('Nightly report').first().waitFor({ state: 'detached' });
  await table().getByRole('link', { name: 'Import orders', exact: true }).waitFor();
  expect(await button('Failed').getAttribute('aria-pressed')).toBe('true');
  await button('Clear filters').click();
});

test('what waits and what failed stands above the rest', async () => {
  const first = page.getByRole('region', { name: 'Waiting or failed' });
  await first.getByRole('listitem').nth(1).waitFor();
  const rows = await first.getByRole('listitem').allInnerTexts();
  expect(rows.map((text) => text.split('\n')[0])).toEqual(['Painter: Paint the lamp', 'Import orders']);
  await first.getByRole('link', { name: 'Import orders' }).click();
  await page.getByRole('complementary', { name: 'Record' }).getByRole('heading', { name: 'Import orders' }).waitFor();
  await button('Close record').click();
});

test('runs of one task are one row, which opens', async () => {
  const runs = button(`${RUNS} runs of Nightly report`);
  const links = table().getByRole('link', { name: 'Nightly report', exact: true });
  await runs.waitFor();
  expect(await links.count()).toBe(1);
  await table().getByText(`${RUNS} done`).waitFor();
  await runs.press('Enter');
  await until(async () => (await links.count()) === RUNS + 1 || undefined);
  expect(await runs.getAttribute('aria-expanded')).toBe('true');
  await page.getByRole('checkbox', { name: `Select ${RUNS} runs of Nightly report` }).check();
  await page.getByText(`${RUNS} selected`, { exact: true }).waitFor();
  await button('Clear selection').click();
  await runs.press('Enter');
  await until(async () => (await links.count()) === 1 || undefined);
  await button('Group runs of a task').click();
  await until(async () => (await links.count()) === RUNS || undefined);
  expect(search()).toEqual({ runs: 'each' });
  await page.reload();
  await until(async () => (await links.count()) === RUNS || undefined);
  await button('Group runs of a task').click();
});

test('filters are chips, and dates are behind one of them', async () => {
  await runsShown();
  await button('Last hour').click();
  await until(() => Promise.resolve(search()['since'] === 'hour' || undefined));
  await runsShown();
  await button('Mine').click();
  await until(() => Promise.resolve(search()['user'] === space.owner.identity.userId || undefined));
  await button('Today').click();
  await until(() => Promise.resolve(search()['since'] === 'today' || undefined));
  expect(await page.getByLabel('From', { exact: true }).count()).toBe(0);
  await button('Custom').click();
  await page.getByLabel('To', { exact: true }).fill('2001-01-01T10:00');
  await page.keyboard.press('Enter');
  await page.getByText('No results for these filters').waitFor();
  expect(search()).toMatchObject({ to: expect.stringMatching(/^2001-01-0/u) });
  expect(search()['since']).toBeUndefined();
  await button('Custom').click();
  await runsShown();
  expect(await page.getByLabel('From', { exact: true }).count()).toBe(0);
  await button('Clear filters').click();
  await until(() => Promise.resolve(new URL(page.url()).search === '' || undefined));
});

const runsShown = (): Promise<void> => table().getByRole('link', { name: 'Nightly report', exact: true }).waitFor();

test('it is open to all, and nothing of it broke', async () => {
  await goTo(page, 'Activity');
  await runsShown();
  await button('Custom').click();
  expect(await look(page, '/activity')).toEqual([]);
  expect(await lookAtPhone(page, '/activity')).toEqual([]);
  expect(problems).toEqual([]);
});
