import { type TestSpace, usePlatform } from '@switchyard/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone } from './support/look';

const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' }), platform.url, problems);
  await page.goto(`${platform.url}/console/keys`);
  await signIn(page, space.owner);
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
}, 120_000);

afterAll(() => browser.close());

test('a key shows what it may do and has used of its limits, and a spent one is red', async () => {
  const made = await space.owner.post('/api-keys', {
    name: 'Nightly report',
    scopes: ['agents:read', 'agents:call', 'datasets:read', 'models:call'],
    limits: { dailyTokens: 1_000, monthlyTokens: 50_000 },
  });
  const free = await space.owner.post('/api-keys', { name: 'Free of limits', scopes: ['*'] });
  for (const answer of [made, free]) {
    const program = space.owner.as(`Bearer ${answer.body.data.key as string}`);
    const messages = [{ role: 'user', content: '@@usage 1100 100\n@@reply done' }];
    const call = await program.raw('POST', '/models/v1/chat/completions', { model: 'sim-chat', messages });
    expect(call.status).toBe(200);
  }
  await page.reload();
  const rowOf = (name: RegExp) => page.getByRole('table', { name: 'Keys' }).getByRole('row', { name });
  const row = rowOf(/Nightly report/);
  await row.getByText('Agents: read, call', { exact: true }).waitFor();
  await row.getByText('Budget spent').waitFor();
  const today = row.getByRole('meter', { name: 'Today' });
  expect([await today.getAttribute('aria-valuenow'), await today.getAttribute('aria-valuemax')]).toEqual([
    '1000',
    '1000',
  ]);
  const month = row.getByRole('meter', { name: 'This month' });
  expect(await month.getAttribute('aria-valuenow')).toBe('1200');
  // Its text is red, in numbers too.
  const colorOf = (locator: Locator): Promise<string> =>
    locator.evaluate((one) => one.ownerDocument.defaultView.getComputedStyle(one).color as string);
  expect(await colorOf(row.getByText('1.2K of 1K'))).toBe(await colorOf(row.getByText('Budget spent')));
  expect(await colorOf(row.getByText('1.2K of 50K'))).not.toBe(await colorOf(row.getByText('Budget spent')));
  await rowOf(/Free of limits/)
    .getByText('1,200')
    .waitFor();
  await rowOf(/Free of limits/)
    .getByText('Full access')
    .waitFor();
  expect(await look(page, '/keys')).toEqual([]);
  expect(await lookAtPhone(page, '/keys')).toEqual([]);
  expect(problems).toEqual([]);
});

test('chips show the keys of one state', async () => {
  const revoked = await space.owner.post('/api-keys', { name: 'Old laptop' });
  await space.owner.post(`/api-keys/${revoked.body.data.id as string}/revoke`);
  const chip = (name: string) => page.getByRole('button', { name, exact: true });
  const rows = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await chip('Revoked').click();
  await rows('Old laptop').waitFor();
  await rows('Nightly report').waitFor({ state: 'detached' });
  await page.reload();
  await rows('Old laptop').waitFor();
  expect(await rows('Nightly report').count()).toBe(0);
  expect(await look(page, '/keys, revoked')).toEqual([]);
  await chip('Revoked').click();
  await rows('Nightly report').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a key is edited by keys alone, from its menu', async () => {
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /Nightly report/ });
  await row.getByRole('button', { name: 'Nightly report', exact: true }).focus();
  await page.keyboard.press('Enter');
  const usage = page.getByRole('dialog', { name: 'Usage of Nightly report' });
  await usage.getByText('Datasets: read').waitFor();
  await page.keyboard.press('Escape');
  await usage.waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Actions of Nightly report' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter');
  await page.getByRole('dialog', { name: 'Edit Nightly report' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
