import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
const words = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
let space: TestSpace;
let agentId: string;
let browser: Browser | undefined;
let page: Page;

beforeAll(async () => {
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', { name: 'Slow', model: 'sim-chat', systemPrompt: 'Brief.' });
  expect(agent.status).toBe(201);
  agentId = agent.body.data.id as string;
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
}, 300_000);

afterAll(() => browser?.close());

const answers = () => page.getByRole('article', { name: 'Agent' });
const answer = () => answers().last();

/** Until the answer to it has begun: one before it holds the same words. */
async function ask(): Promise<void> {
  const before = await answers().count();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(`@@delay 200\n@@reply ${words}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answers().nth(before).getByText('word3').waitFor();
}

/** As it came, and as it is stored. */
async function expectWhole(count: number): Promise<void> {
  // Paragraphs are drawn by code that comes after the words.
  const isWhole = async (): Promise<true | undefined> =>
    (await answer().locator('p').allInnerTexts()).join(' ').split(/\s+/u).join(' ') === words || undefined;
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await until(isWhole);
  await page.reload();
  await until(isWhole);
  expect(await answers().count()).toBe(count);
  expect(problems).toEqual([]);
}

test('an answer whose agent service is killed while one looks is whole, once', async () => {
  await page.goto(`${platform.url}/console/chat?new=1&agent=${agentId}`);
  await signIn(page, space.owner);
  await ask();
  await platform.service('agent').crash();
  await expectWhole(1);
}, 300_000);

test('an answer that goes on while the network is away for ten seconds is whole, once', async () => {
  await ask();
  await page.context().setOffline(true);
  // Chromium's switch refuses new connections and lets an open one go on.
  await page.getByRole('button', { name: 'Break connection' }).click();
  await page.getByRole('status').getByText('Reconnecting').waitFor();
  // Longer than the rest of the answer takes: what was missed comes from what was kept.
  await page.waitForTimeout(10_000);
  await page.context().setOffline(false);
  await expectWhole(2);
}, 300_000);
