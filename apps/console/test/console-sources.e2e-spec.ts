import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { HOSTILE } from './support/hostile-space';
import { WIDE, look, lookAtPhone } from './support/look';

// The records that an agent read before its answer: with titles, each opening its passage, after a reload as well.
const platform = usePlatform();
const problems: string[] = [];
const LONG = 'Day by day, word by word. '.repeat(400);
let space: TestSpace;
let browser: Browser;
let page: Page;
let agentId: string;
let datasetId: string;

const make = async (path: string, body: object): Promise<string> => {
  const { status, body: answer } = await space.owner.post(path, body);
  if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer)}`);
  return (answer.data as { id: string }).id;
};

beforeAll(async () => {
  space = await platform.newSpace();
  datasetId = await make('/datasets', {
    name: `Help articles ${HOSTILE}`,
    schema: {
      fields: [
        { name: 'slug', type: 'string' },
        { name: 'title', type: 'string' },
        { name: 'body', type: 'text', vector: true },
      ],
    },
  });
  await space.owner.post(`/datasets/${datasetId}/data/insert`, {
    records: [
      { slug: 'returns', title: 'How to return a lamp', body: 'A lamp can be returned within 30 days.' },
      { slug: 'long', title: HOSTILE, body: `A lamp is a lamp. ${HOSTILE} ${LONG}` },
    ],
  });
  agentId = await make('/agents', {
    name: 'Desk',
    model: 'sim-chat',
    systemPrompt: 'You are brief.',
    knowledge: [{ datasetId, topK: 2 }],
  });
  await until(async () => {
    const { body } = await space.owner.post(`/datasets/${datasetId}/data/search`, { query: 'a lamp', topK: 2 });
    return (body.data as unknown[]).length === 2 || undefined;
  });
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/chat?agent=${agentId}`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const sources = () => page.getByRole('log', { name: 'Transcript' }).getByRole('group', { name: 'Sources' });
const returns = () => sources().getByRole('button', { name: /How to return a lamp$/u });

test('an answer has its sources by title, and has them after a reload', async () => {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('May I return a lamp within 30 days?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('You said: May I return').waitFor();
  await returns().waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await page.reload();
  await returns().waitFor();
  await sources().getByText('2 sources').waitFor();
  // Above the answer, in its entry.
  const text = await page.getByRole('article', { name: 'Agent' }).innerText();
  expect(text.indexOf('How to return a lamp')).toBeLessThan(text.indexOf('You said:'));
  expect(await look(page, 'a chat with sources')).toEqual([]);
  expect(await lookAtPhone(page, 'a chat with sources', 'main [role=log]')).toEqual([]);
});

test('a source opens its passage and its record by keyboard', async () => {
  await returns().focus();
  await page.keyboard.press('Enter');
  const passage = page.getByRole('dialog', { name: 'How to return a lamp' });
  await passage.getByText('A lamp can be returned within 30 days.').waitFor();
  await passage.getByText(/Source \d · Help articles/u).waitFor();
  expect(await look(page, 'a passage', '[role=dialog]')).toEqual([]);
  expect(await lookAtPhone(page, 'a passage', '[role=dialog]')).toEqual([]);
  await page.keyboard.press('Escape');
  await passage.waitFor({ state: 'detached' });
  expect(await page.evaluate<string>('document.activeElement?.textContent')).toContain('How to return a lamp');
  await returns().click();
  await passage.getByRole('link', { name: 'Open the record' }).click();
  const table = page.getByRole('table', { name: /^Help articles/u });
  await table.getByRole('row', { name: /How to return a lamp/u }).waitFor();
  await page.getByRole('status', { name: 'Found' }).getByText('1 of 2 records').waitFor();
  await page.goBack();
  await returns().waitFor();
});

test('a long hostile source is text, and says that it is longer', async () => {
  await sources()
    .getByRole('button', { name: /img src/u })
    .click();
  const passage = page.getByRole('dialog');
  await passage.getByText('A lamp is a lamp.').waitFor();
  await passage.getByText('The record is longer').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await lookAtPhone(page, 'a long passage', '[role=dialog]')).toEqual([]);
  await page.keyboard.press('Escape');
});

test('a source stays readable after its record was deleted', async () => {
  await space.owner.post(`/datasets/${datasetId}/data/delete`, { filter: { slug: 'returns' } });
  await page.reload();
  await returns().click();
  const passage = page.getByRole('dialog', { name: 'How to return a lamp' });
  await passage.getByText('This record has been deleted.').waitFor();
  await passage.getByText('A lamp can be returned within 30 days.').waitFor();
  expect(await passage.getByRole('link', { name: 'Open the record' }).count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('a number in an answer opens its source, after a reload as well', async () => {
  const answer = page.getByRole('log', { name: 'Transcript' }).getByRole('article', { name: 'Agent' });
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Is a lamp a lamp? See [1], `[2]` and [7].');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const cited = answer.last().getByRole('button', { name: /^Source \d: / });
  await cited.waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await page.reload();
  await cited.waitFor();
  // Code, and a number without a source, stay text.
  expect(await answer.last().innerText()).toMatch(/\[2\] and \[7\]/u);
  expect(await look(page, 'a citation')).toEqual([]);
  expect(await lookAtPhone(page, 'a citation', 'main [role=log]')).toEqual([]);
  await cited.press('Enter');
  await page
    .getByRole('dialog')
    .getByText(/^Source 1 · /u)
    .waitFor();
  await page.keyboard.press('Escape');
  expect(problems).toEqual([]);
});
