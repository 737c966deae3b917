import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone, open } from './support/look';

const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
const problems: string[] = [];

const region = (name: string) => page.getByRole('region', { name, exact: true });
const figure = (name: RegExp) => page.getByRole('figure', { name });
/** A curve with a grid is drawn on a canvas. */
const hasGrid = async (name: RegExp): Promise<boolean> => {
  await figure(name).getByRole('slider').waitFor();
  return (await figure(name).locator('canvas').count()) > 0;
};
const newAgent = async (name: string, systemPrompt: string): Promise<string> => {
  const made = await space.owner.post('/agents', { name, model: 'sim-chat', systemPrompt });
  return made.body.data.id as string;
};
const chat = (agentId: string) =>
  space.owner.post(`/agents/${agentId}/chat`, { contents: [{ type: 'text', text: 'Hello' }], stream: false });
let goodId: string;
let brokenId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  goodId = await newAgent('Answers', 'Brief.');
  for (let turn = 0; turn < 3; turn += 1) expect((await chat(goodId)).status).toBe(200);
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' }), platform.url, problems);
  await page.goto(`${platform.url}/console/activity`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

test('without a failure one line says so, and one bar has no empty grid around it', async () => {
  await page.getByRole('heading', { name: 'Activity by hour' }).waitFor();
  await figure(/^Failure rate, /)
    .getByText('None of 3 records failed.')
    .waitFor();
  const counts = figure(/^Counts by state, Records an hour/);
  await counts.getByText('Done').first().waitFor();
  expect(await counts.locator('figcaption').innerText()).toMatch(/Records an hour, last 12 hours\s+Done\s+3$/u);
  expect(await hasGrid(/^Counts by state/)).toBe(false);
  await counts.getByText(/ only$/u).waitFor();
  expect(await page.getByRole('slider', { name: 'Failure rate, point in time' }).count()).toBe(0);
});

test('failures are a rate of their own, read by keys', async () => {
  brokenId = await newAgent('Out of order', '@@@error 400');
  await chat(brokenId);
  await page.reload();
  const rate = figure(/^Failure rate, Share of the records that ended/);
  await rate.getByText('25% (1 of 4)').waitFor();
  const curve = page.getByRole('slider', { name: 'Failure rate, point in time' });
  await curve.focus();
  await until(async () => {
    await page.keyboard.press('End');
    const last = (await curve.getAttribute('aria-valuetext')) ?? '';
    await page.keyboard.press('ArrowLeft');
    // A new hour may have begun since.
    return (
      [last, (await curve.getAttribute('aria-valuetext')) ?? ''].some((at) => at.endsWith(': Failed 25%')) || undefined
    );
  });
  // They are not in the bars as well.
  const heads = page.getByRole('table', { name: 'Counts by state' }).getByRole('columnheader');
  expect(await heads.allTextContents()).not.toContain('Failed');
  await open(page, `/agents/${brokenId}`);
  await region('Latency').getByText('100% (1 of 1)').waitFor();
});

test('a cap far above the use is named, and does not flatten the bars', async () => {
  expect((await space.owner.patch(`/spaces/${space.id}`, { settings: { dailyTokenCap: 5_000_000 } })).status).toBe(200);
  await open(page, '/usage');
  const caption = figure(/^Tokens a day, /).locator('figcaption');
  await until(async () => /Daily token cap\s+5M/u.test(await caption.innerText()) || undefined);
  expect(await caption.innerText()).toMatch(/Tokens, by the day \(UTC\), last 30 days/u);
  expect(await hasGrid(/^Tokens a day/)).toBe(false);
  await figure(/^Balance forecast, Tokens left/)
    .getByText(/now, .* after \d+ days/u)
    .waitFor();
  expect(await hasGrid(/^Balance forecast/)).toBe(true);
});

test.each(['/activity', '/usage'])(
  'axe finds nothing in the charts of %s, and a phone shows them all',
  async (path) => {
    await open(page, path);
    await page.getByRole('slider').first().waitFor();
    expect(await look(page, path)).toEqual([]);
    expect(await lookAtPhone(page, path)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

test('lists of agents and tasks show runs, failures, cost and the last use', async () => {
  await open(page, '/agents');
  const agents = page.getByRole('table', { name: 'Agents' });
  const cells = async (name: string): Promise<string[]> =>
    (
      await agents
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('cell')
        .allInnerTexts()
    ).slice(2, 6);
  const isLoaded = async (name: string): Promise<true | undefined> => {
    const [, , spent = '', used = ''] = await cells(name);
    return (spent !== '' && /^now$| ago$/u.test(used)) || undefined;
  };
  await until(() => isLoaded('Answers'));
  const [runs, failed, spent] = await cells('Answers');
  expect([runs, failed]).toEqual(['3', '0']);
  expect(spent).toMatch(/^\$0\.0*[1-9]/u);
  await until(() => isLoaded('Out of order'));
  expect((await cells('Out of order')).slice(0, 3)).toEqual(['1', '1 (100%)', '$0.00']);
  expect(await look(page, '/agents')).toEqual([]);
  expect(await lookAtPhone(page, '/agents')).toEqual([]);
  const steps = [{ id: 'ask', type: 'agent', with: { agentId: brokenId, inputs: { query: 'Hello' } } }];
  const task = await space.owner.post('/tasks', { name: 'Fails', steps });
  const run = await space.owner.post(`/tasks/${task.body.data.id as string}/execute`, { inputs: {} });
  const path = `/tasks/executions/${run.body.data.id as string}`;
  await until(async () => (await space.owner.get(path)).body.data.status === 'FAILED' || undefined);
  await open(page, '/tasks');
  const row = page.getByRole('table', { name: 'Tasks' }).getByRole('row', { name: /Fails/ });
  await row.getByText('1 (100%)').waitFor();
  expect(await look(page, '/tasks')).toEqual([]);
  expect(await lookAtPhone(page, '/tasks')).toEqual([]);
});

test('a grid with more fields than a screen is wide says that it scrolls', async () => {
  const fields = ['one', 'two', 'three', 'four'].map((name) => ({ name, type: 'string' }));
  const dataset = await space.owner.post('/datasets', { name: 'Wide', schema: { fields } });
  const path = `/datasets/${dataset.body.data.id as string}`;
  await space.owner.post(`${path}/data/insert`, { records: [{ one: 'first', four: 'last' }] });
  await open(page, path);
  await page.getByText('first', { exact: true }).waitFor();
  const hint = page.getByText('Scroll the table sideways to see all 4 fields.');
  expect(await hint.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await hint.waitFor();
  await page.setViewportSize(WIDE);
  await hint.waitFor({ state: 'detached' });
});

describe('the causes of a run that waits, and then fails', () => {
  const tree = () => page.getByRole('tree', { name: 'Causes' });
  let path: string;

  beforeAll(async () => {
    const steps = [
      { id: 'pause', type: 'wait', with: { seconds: 3 } },
      { id: 'ask', type: 'agent', with: { agentId: brokenId, inputs: { query: 'Hello' } } },
    ];
    const task = await space.owner.post('/tasks', { name: 'Waits and fails', steps });
    const run = await space.owner.post(`/tasks/${task.body.data.id as string}/execute`, { inputs: {} });
    const id = run.body.data.id as string;
    await until(
      async () => (await space.owner.get(`/tasks/executions/${id}`)).body.data.status === 'FAILED' || undefined,
    );
    path = `/causes/execution/${id}`;
    await open(page, path);
  }, 120_000);

  test('say that it failed, and lead there', async () => {
    await page
      .getByRole('alert')
      .getByText(/records? failed\. First: /u)
      .waitFor();
    await page.getByRole('button', { name: 'Show the failure' }).press('Enter');
    await until(async () => (await tree().getByRole('treeitem', { selected: true }).count()) === 1 || undefined);
    const chosen = tree().getByRole('treeitem', { selected: true });
    expect(await chosen.getAttribute('aria-level')).not.toBe('1');
    await page.getByRole('complementary', { name: 'Selected record' }).getByText('Failed').first().waitFor();
  });

  test('name its turn by the agent', async () => {
    await tree()
      .getByRole('treeitem', { name: /Out of order Turn/ })
      .waitFor();
  });

  test('compress its wait, show own time beside the whole, and zoom', async () => {
    await page.getByText(/^Compressed: \d/u).waitFor();
    await tree()
      .getByRole('treeitem', { name: /Waits and fails/ })
      .click();
    const facts = page.getByRole('complementary', { name: 'Selected record' });
    expect(await facts.innerText()).toMatch(/Took\s+[3-9][\d.]* s\s+Own time\s+[\d.]+ m?s/u);
    await tree().getByRole('treeitem', { name: /ask/ }).first().click();
    await page.getByRole('button', { name: 'Zoom to selected' }).press('Enter');
    await page.getByText(/^Compressed: \d/u).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByText(/^Compressed: \d/u).waitFor();
  });

  test('axe finds nothing there, and a phone shows it all', async () => {
    expect(await look(page, path)).toEqual([]);
    expect(await lookAtPhone(page, path)).toEqual([]);
  });
});
