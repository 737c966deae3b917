import { type ProcessHandle, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const space = await platform.newSpace();
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
  await page.goto(`${platform.url}/console/activity`);
  await signIn(page, space.owner);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}, 300_000);

afterAll(() => browser.close());

/** As from a link in the message of an alert: another part of a page that is open would not load it anew. */
const runbook = async (alert: string): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(`${platform.url}/console/docs/operate/runbooks#${alert.toLowerCase()}`);
  await page.getByRole('article').getByRole('heading', { level: 2, name: alert, exact: true }).waitFor();
};

/** The browser has the cookie of a sign-in, which cannot be renewed while any of these is down. */
const needed: [string, string, () => ProcessHandle][] = [
  ['the key service', 'SwitchyardServiceDown', () => platform.service('key')],
  ['NATS', 'SwitchyardNatsAway', () => platform.server('nats')],
  ['Postgres', 'SwitchyardPostgresAway', () => platform.server('postgres')],
];

test.each(needed)(
  'the runbooks are shown while %s is down, and within the console afterwards',
  async (_, alert, handle) => {
    const process = handle();
    await process.stop();
    await runbook(alert);
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    await process.start();
    await process.ready();
    for (const name of ['gateway', 'key']) await platform.service(name).ready();
    await runbook(alert);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(problems).toEqual([]);
  },
  300_000,
);
