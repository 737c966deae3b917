import { type TestSpace, usePlatform } from '@switchyard/testing';
import { source as axe } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ viewport: { width: 360, height: 740 } }), platform.url, problems);
  await page.goto(`${platform.url}/console/activity`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const step = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

test('an empty Space greets: an agent that answers, a key, and a dataset that the agent reads', async () => {
  const [agentStep, keyStep, dataStep] = [
    'An agent that answers',
    'A key for your program',
    'A dataset that it can read',
  ].map(step);
  expect(await dataStep?.getByRole('button', { name: 'Create dataset' }).isDisabled()).toBe(true);

  await page.setViewportSize({ width: 390, height: 844 });
  const begins = await page
    .getByRole('button', { name: /^Create/ })
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().x));
  expect([begins.length, new Set(begins).size]).toEqual([3, 1]);
  await page.setViewportSize({ width: 360, height: 740 });

  await agentStep?.getByRole('button', { name: 'Create agent' }).click();
  await agentStep?.getByText('You said: Hello!').waitFor();
  const [agent] = (await space.owner.get('/agents')).body.data;
  expect(agent).toMatchObject({ name: 'First agent' });

  await keyStep?.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your key' });
  const key = (await shown.getByLabel('Key', { exact: true }).textContent()) ?? '';
  await shown.getByRole('checkbox', { name: 'I have stored it' }).check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  expect((await space.owner.as(`Bearer ${key}`).get(`/agents/${agent.id}`)).status).toBe(200);
  expect(await page.content()).not.toContain(key);

  await dataStep?.getByRole('button', { name: 'Create dataset' }).click();
  await dataStep?.getByRole('group', { name: 'How its records came in' }).waitFor();
  const [dataset] = (await space.owner.get('/datasets')).body.data;
  const records = await space.owner.post(`/datasets/${dataset.id}/data/query`, {});
  expect(records.body.data).toHaveLength(2);
  const reader = (await space.owner.get(`/agents/${agent.id}`)).body.data;
  expect(reader.tools).toEqual(['query_dataset']);
  expect(reader.systemPrompt).toContain(dataset.id);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);

  // A reload leaves the steps as they are.
  await page.reload();
  await agentStep?.getByRole('link', { name: 'Open the agent' }).waitFor();
  await dataStep?.getByRole('link', { name: 'Open the dataset' }).waitFor();
  expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Go to the activity' }).click();
  const [turn] = (await space.owner.get('/activity')).body.data;
  await page.getByRole('table', { name: 'Activity' }).getByText(turn.name).first().waitFor();
});

test('an empty list says what it is and holds the one button that makes the first', async () => {
  const empty = await platform.newSpace();
  const other = await openPage(await browser.newContext({ reducedMotion: 'reduce' }), platform.url, problems);
  await other.goto(`${platform.url}/console/agents`);
  await signIn(other, empty.owner);
  const lists = {
    Agents: 'Create agent',
    Tasks: 'Create task',
    Jobs: 'Submit job',
    Datasets: 'Create dataset',
    Applications: 'Install application',
    Keys: 'Create key',
    Secrets: 'Create secret',
  };
  for (const [name, action] of Object.entries(lists)) {
    await goTo(other, name);
    const state = other
      .getByRole('main')
      .locator('div', { has: other.getByRole('heading', { level: 2, name: /^No / }) });
    await state.last().getByRole('button', { name: action, exact: true }).waitFor();
    expect({ name, buttons: await other.getByRole('button', { name: action, exact: true }).count() }).toEqual({
      name,
      buttons: 1,
    });
    if (!(await other.evaluate<boolean>("'axe' in window"))) await other.evaluate(axe);
    const found = 'axe.run().then(({ violations }) => violations.map(({ id }) => id))';
    expect({ name, found: await other.evaluate(found) }).toEqual({ name, found: [] });
  }
  await other.getByRole('button', { name: 'Create secret', exact: true }).click();
  const dialog = other.getByRole('dialog', { name: 'Create secret' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('FIRST');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('kept');
  await dialog.getByRole('button', { name: 'Create secret' }).click();
  await other.getByRole('row', { name: /FIRST/ }).waitFor();
  expect(await other.getByRole('button', { name: 'Create secret', exact: true }).count()).toBe(1);
  expect(problems).toEqual([]);
});

test('somebody who may make nothing is not asked to', async () => {
  const empty = await platform.newSpace();
  const other = await openPage(await browser.newContext(), platform.url, problems);
  await other.goto(`${platform.url}/console/activity`);
  await signIn(other, await empty.member('VIEWER'));
  await other.getByText('Nothing has happened yet').waitFor();
  expect(await other.getByRole('list', { name: 'First steps' }).count()).toBe(0);
  expect(problems).toEqual([]);
});
