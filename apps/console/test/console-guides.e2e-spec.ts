import { type TestSpace, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser | undefined;
let page: Page;

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
  await page.goto(`${platform.url}/console/keys`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser?.close());

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

test('help offers the guide to the page that is open', async () => {
  await goTo(page, 'Agents');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.getByRole('heading', { name: 'This page' }).waitFor();
  await help.getByRole('link', { name: 'Agents', exact: true }).click();
  await heading('Agents').waitFor();
  await help.waitFor({ state: 'detached' });
});

test('a link of a guide leads to its place in another guide', async () => {
  await page.goto(`${platform.url}/console/docs/guides/agents`);
  await page.getByRole('main').getByRole('link', { name: 'Jobs', exact: true }).click();
  await heading('Tasks and jobs').waitFor();
  const section = page.getByRole('heading', { level: 2, name: 'Jobs', exact: true });
  await section.waitFor();
  expect(new URL(page.url()).hash).toBe('#jobs');
  const isInView = `(() => { const { top } = document.getElementById('jobs').getBoundingClientRect(); return top >= 0 && top < innerHeight; })()`;
  await page.waitForFunction(isInView);
});

test('a concept is shown with its diagram, drawn in the colours of the theme', async () => {
  await page.goto(`${platform.url}/console/docs/concepts/space`);
  await heading('Space').waitFor();
  await page.getByText('A Space is a tenant.').waitFor();
  const diagram = page.getByRole('figure', { name: 'Diagram: Space' });
  await diagram.getByText('Space A', { exact: true }).waitFor();
  expect(await page.getByRole('main').getByText('flowchart').count()).toBe(0);
  const { width = 0 } = (await diagram.locator('svg').boundingBox()) ?? {};
  expect(width).toBeGreaterThan(400);
  const ink = `getComputedStyle(document.querySelector('figure svg text')).fill`;
  const light = await page.evaluate(`document.documentElement.dataset.theme = 'light'; ${ink}`);
  const dark = await page.evaluate(`document.documentElement.dataset.theme = 'dark'; ${ink}`);
  expect(light).not.toBe(dark);
});

test('help searches the documentation', async () => {
  await page.goto(`${platform.url}/console/inbox`);
  await heading('Inbox').waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.getByRole('searchbox', { name: 'Search the documentation' }).fill('upgrade');
  await help.getByRole('list', { name: 'Found pages' }).getByRole('link', { name: 'Upgrade', exact: true }).click();
  await heading('Upgrade').waitFor();
  await help.waitFor({ state: 'detached' });
});

test('the search finds a section of a guide by what it says, and leads there', async () => {
  await page.goto(`${platform.url}/console/inbox`);
  await heading('Inbox').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('cron');
  await page.getByRole('option', { name: 'Guide: Tasks and jobs, Schedules' }).click();
  await heading('Tasks and jobs').waitFor();
  expect(new URL(page.url()).hash).toBe('#schedules');
});

test('the index lists the pages by section, each can be opened, and another one is not found', async () => {
  await page.goto(`${platform.url}/console/inbox`);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('dialog', { name: 'Help' }).getByRole('link', { name: 'Operate', exact: true }).click();
  await heading('Documentation').waitFor();
  expect(new URL(page.url()).hash).toBe('#operate');
  await page.getByRole('region', { name: 'Operate' }).getByRole('link', { name: 'Runbooks' }).waitFor();
  const links = page.getByRole('main').locator('a[href*="/console/docs/"]');
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
  expect(paths.length).toBeGreaterThan(60);
  for (const path of paths) {
    await page.goto(`${platform.url}${path}`);
    // A page that is not there has no article.
    await page.getByRole('article').waitFor();
  }
  await page.goto(`${platform.url}/console/docs/guides/of-nothing`);
  await heading('Not found').waitFor();
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});
