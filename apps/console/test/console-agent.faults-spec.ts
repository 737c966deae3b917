import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
const words = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ');
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
}, 120_000);

afterAll(() => browser?.close());

test('an answer whose agent service is killed while one looks is whole, once', async () => {
  await page.goto(`${platform.url}/console/chat?new=1&agent=${agentId}`);
  await signIn(page, space.owner);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(`@@delay 200\n@@reply ${words}`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const answer = page.getByRole('article', { name: 'Agent' }).last();
  await answer.getByText('word3').waitFor();
  await platform.service('agent').crash();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  // Paragraphs are drawn by code that comes after the words.
  const isWhole = async (): Promise<true | undefined> =>
    (await answer.locator('p').allInnerTexts()).join(' ').split(/\s+/u).join(' ') === words || undefined;
  await until(isWhole);
  // What is stored is the same.
  await page.reload();
  await until(isWhole);
  expect(await page.getByRole('article', { name: 'Agent' }).count()).toBe(1);
  expect(problems).toEqual([]);
}, 120_000);
