import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone } from './support/look';

/** The documentation without a sign-in, as a person sees it who cannot sign in; every other page asks for one. */
const platform = usePlatform();
const problems: string[] = [];
/** Paths that the page requested, without the files of the console. */
const requested: string[] = [];
const FILES = /^\/console(?:\/(?!session)|$)/;
const AN_ID = '01990000-0000-7000-8000-000000000000';
let space: TestSpace;
let browser: Browser | undefined;
let page: Page;

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.url().startsWith(platform.url) && !FILES.test(pathname))
      requested.push(`${request.method()} ${pathname}`);
  });
}, 120_000);

afterAll(() => browser?.close());

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const article = () => page.getByRole('article');
const link = (name: string) => page.getByRole('link', { name, exact: true });
const email = () => page.getByRole('textbox', { name: 'E-mail' });

/** Whether the browser has a cookie is all that a page without a sign-in asks the platform. */
const expectNothingWasRead = (): void => {
  expect([...new Set(requested.splice(0))]).toEqual(['POST /console/session/present']);
};

test('the address of a runbook shows the section of its alert without a sign-in', async () => {
  await page.goto(`${platform.url}/console/docs/operate/runbooks#switchyardnatsaway`);
  await heading('Runbooks').waitFor();
  await page.getByRole('heading', { level: 2, name: 'SwitchyardNatsAway', exact: true }).waitFor();
  await page.waitForFunction(
    `(() => { const { top } = document.getElementById('switchyardnatsaway').getBoundingClientRect(); return top >= 0 && top < innerHeight; })()`,
  );
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  expect([...(await look(page, 'runbooks')), ...(await lookAtPhone(page, 'runbooks'))]).toEqual([]);
  expectNothingWasRead();
});

test('the index, its search and the links between pages work without a sign-in', async () => {
  await page.goto(`${platform.url}/console/docs`);
  await heading('Documentation').waitFor();
  expect([...(await look(page, 'docs')), ...(await lookAtPhone(page, 'docs'))]).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('runbooks');
  await page.getByRole('list', { name: 'Found pages' }).getByRole('link', { name: 'Runbooks', exact: true }).click();
  await heading('Runbooks').waitFor();
  await article().getByRole('link', { name: 'Alertmanager', exact: true }).first().click();
  await heading('Monitoring').waitFor();
  expect(new URL(page.url()).hash).toBe('#alertmanager');
  await page.goBack();
  await heading('Runbooks').waitFor();
  expectNothingWasRead();
});

test('every other page asks for a sign-in, and reads nothing before', async () => {
  await page.goto(`${platform.url}/console/activity`);
  await email().waitFor();
  const routes = await page.evaluate<string[]>('Object.keys(window.__TSR_ROUTER__.routesByPath)');
  const paths = routes.filter((route) => !route.startsWith('/docs'));
  expect(paths.length).toBeGreaterThan(30);
  for (const path of [...paths, '/docs-of-others', '/docsx/operate', '/no-such-page']) {
    await page.goto(`${platform.url}/console${path.replaceAll(/\$\w*/g, AN_ID)}`);
    // One of these three forms: to sign in, to accept an invitation, or to set a new password.
    await page.getByRole('textbox', { name: 'Password' }).or(page.getByLabel('New password')).first().waitFor();
    expect({ path, main: await page.getByRole('navigation').count() }).toEqual({ path, main: 0 });
  }
  expectNothingWasRead();
});

test('a place that is left for the documentation asks for a sign-in again on the way back', async () => {
  await page.goto(`${platform.url}/console/keys`);
  await link('Documentation').click();
  await heading('Documentation').waitFor();
  await page.goto(`${platform.url}/console/docs/guides/of-nothing`);
  await heading('Not found').waitFor();
  await link('Go to Activity').click();
  await email().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/activity');
  await page.goBack();
  await heading('Not found').waitFor();
  await page.goForward();
  await email().waitFor();
  expectNothingWasRead();
});

test('who signs in from a page of the documentation, and returns to it, sees it within the console', async () => {
  await page.goto(`${platform.url}/console/docs/operate/runbooks`);
  await link('Sign in').click();
  await signIn(page, space.owner);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.goto(`${platform.url}/console/docs/operate/runbooks`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await heading('Runbooks').waitFor();
  await page.getByRole('button', { name: 'Account and theme' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await link('Sign in').waitFor();
  await heading('Runbooks').waitFor();
  await until(async () => (await page.getByRole('navigation', { name: 'Main' }).count()) === 0 || undefined);
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});
