import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone, open } from './support/look';

const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;
let spaceName: string;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const tab = (name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Parts of the platform' }).getByRole('link', { name, exact: true }).click();
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const spaceNow = async (): Promise<Record<string, unknown>> =>
  (await space.operator.get(`/operator/spaces/${space.id}`)).body.data as Record<string, unknown>;

beforeAll(async () => {
  space = await platform.newSpace();
  spaceName = (await spaceNow())['name'] as string;
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/operator`);
  await signIn(page, space.operator);
}, 120_000);

afterAll(() => browser.close());

test('an operator finds a Space, credits it, and bounds it', async () => {
  await heading('Operator');
  await page.getByRole('searchbox', { name: 'Search by name' }).fill(spaceName);
  await page.getByRole('table', { name: 'Spaces' }).getByRole('link', { name: spaceName, exact: true }).click();
  await heading(spaceName);
  const { balance } = await spaceNow();
  await button('Add credits').click();
  const tokens = dialog('Add credits').getByRole('spinbutton', { name: 'Tokens' });
  for (const [typed, says] of [
    ['0', /a negative number to reduce/],
    ['10000000000000', /at most 1,000,000,000,000/],
    ['1.5', /without a fraction/],
  ] as const) {
    await tokens.fill(typed);
    await dialog('Add credits').getByRole('button', { name: 'Add credits' }).click();
    await dialog('Add credits').getByText(says).waitFor();
    expect(await tokens.getAttribute('aria-invalid')).toBe('true');
  }
  await tokens.fill('5000');
  await dialog('Add credits').getByRole('textbox', { name: 'Note' }).fill('order 7');
  await dialog('Add credits').getByRole('button', { name: 'Add credits' }).click();
  await until(async () => (await spaceNow())['balance'] === (balance as number) + 5000);
  const ceilings = page.getByRole('region', { name: 'Ceilings' });
  await ceilings.getByRole('spinbutton', { name: 'Agents' }).fill('3');
  await ceilings.getByRole('button', { name: 'Save ceilings' }).click();
  await until(async () => ((await spaceNow())['ceilings'] as { agents: number | null }).agents === 3);
});

test('an operator suspends a Space with a reason, and resumes it', async () => {
  await button('Suspend').click();
  const suspend = dialog('Suspend Space');
  expect(await suspend.getByRole('button', { name: 'Suspend Space' }).isDisabled()).toBe(true);
  await suspend.getByRole('textbox', { name: 'Reason' }).fill('The invoice of May is open.');
  await suspend.getByRole('button', { name: 'Suspend Space' }).click();
  await page.getByText('Suspended: The invoice of May is open.').waitFor();
  expect((await spaceNow())['status']).toBe('SUSPENDED');
  await button('Resume').click();
  await dialog('Resume Space').getByRole('button', { name: 'Resume Space' }).click();
  await until(async () => (await spaceNow())['status'] === 'ACTIVE');
});

test('an operator makes a Space for a person, who gets a link', async () => {
  await page.goto(`${platform.url}/console/operator`);
  await heading('Operator');
  await button('Create Space').click();
  await dialog('Create Space').getByRole('textbox', { name: 'Name' }).fill('Harbour');
  await dialog('Create Space')
    .getByRole('textbox', { name: 'E-mail of the owner' })
    .fill(`harbour-${space.id.slice(-8)}@example.com`);
  await dialog('Create Space').getByRole('button', { name: 'Create Space' }).click();
  expect(await dialog('Invitation').getByLabel('Link', { exact: true }).textContent()).toMatch(
    /\/console\/invitation#/,
  );
  await dialog('Invitation').getByRole('checkbox', { name: 'I have stored it' }).check();
  await dialog('Invitation').getByRole('button', { name: 'Done' }).click();
});

test('a person sets a new password with the link of an operator', async () => {
  const { email = '' } = space.owner.identity;
  await tab('People');
  await page.getByRole('searchbox', { name: 'Search by name or e-mail' }).fill(email);
  await button(`Actions for ${email}`).click();
  await page.getByRole('menuitem', { name: 'Reset password' }).click();
  await dialog('Reset password').getByRole('button', { name: 'Reset password' }).click();
  const link = (await dialog('Password reset').getByLabel('Link', { exact: true }).textContent()) ?? '';
  await dialog('Password reset').getByRole('checkbox', { name: 'I have stored it' }).check();
  await dialog('Password reset').getByRole('button', { name: 'Done' }).click();
  const theirs = await openPage(await browser.newContext(), platform.url, problems);
  await theirs.goto(link);
  await theirs.getByLabel('New password', { exact: true }).fill('a password of their own');
  await theirs.getByLabel('Repeat password', { exact: true }).fill('a password of their own');
  await theirs.getByRole('button', { name: 'Set password', exact: true }).click();
  await theirs.getByLabel('E-mail', { exact: true }).fill(email);
  await theirs.getByLabel('Password', { exact: true }).fill('a password of their own');
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
  await theirs.getByRole('heading', { level: 1, name: 'Activity', exact: true }).waitFor();
  expect(await theirs.getByRole('link', { name: 'Operator', exact: true }).count()).toBe(0);
  await theirs.goto(`${platform.url}/console/operator`);
  await theirs.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  await theirs.context().close();
});

test('an operator sees who uses most, failed work, keys and events', async () => {
  await tab('Load');
  await page.getByRole('combobox', { name: 'Measure' }).selectOption('bytes');
  await page.getByRole('list', { name: 'Bytes through the gateway' }).getByRole('listitem').first().waitFor();
  await tab('Failed work');
  await page.getByRole('heading', { level: 2, name: 'Dead letters', exact: true }).waitFor();
  await tab('Keys');
  await button('Create operator key').click();
  await dialog('Create operator key').getByRole('textbox', { name: 'Name' }).fill('monitoring');
  await dialog('Create operator key').getByRole('button', { name: 'Create operator key' }).click();
  expect(await dialog('Your operator key').getByLabel('Key', { exact: true }).textContent()).toMatch(/^\w{40}$/);
  await dialog('Your operator key').getByRole('checkbox', { name: 'I have stored it' }).check();
  await dialog('Your operator key').getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('table', { name: 'Operator keys' })
    .getByRole('row', { name: /monitoring/ })
    .first()
    .waitFor();
  await tab('Security events');
  await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption({ label: 'Space suspended' });
  // Other test files suspend Spaces too.
  const row = page.getByRole('row', { name: /Space suspended/ }).filter({ has: page.getByTitle(space.id) });
  await row.getByRole('link', { name: spaceName, exact: true }).waitFor();
  await row.getByRole('button', { name: 'Space suspended' }).click();
  await dialog('Space suspended').getByText('The invoice of May is open.').waitFor();
  await page.keyboard.press('Escape');
  // The person concerned, beside the operator.
  const filter = page.getByRole('combobox', { name: 'Event', exact: true });
  await filter.selectOption({ label: 'Password reset by an operator' });
  const reset = page.getByRole('row', { name: /Password reset by an operator/ });
  await reset
    .getByTitle(space.owner.identity.userId ?? '')
    .first()
    .waitFor();
  expect(problems).toEqual([]);
});

test('axe finds nothing on any page or dialog of an operator, and a small phone loses nothing', async () => {
  const found: string[] = [];
  const dialogs: [path: string, opens: string, named: string][] = [
    ['/operator', 'Create Space', 'Create Space'],
    [`/operator/spaces/${space.id}`, 'Add credits', 'Add credits'],
    [`/operator/spaces/${space.id}`, 'Suspend', 'Suspend Space'],
    ['/operator/keys', 'Create operator key', 'Create operator key'],
  ];
  const pages = ['', `/spaces/${space.id}`, '/people', '/load', '/failed-work', '/keys', '/events'];
  for (const path of pages.map((one) => `/operator${one}`)) {
    await open(page, path);
    // Of a long list a phone shows fewer rows at a time.
    const part = ['', '/people', '/events'].some((one) => path === `/operator${one}`)
      ? 'main tbody tr:first-child'
      : 'main';
    found.push(...(await look(page, path)), ...(await lookAtPhone(page, path, part)));
  }
  for (const [path, opens, named] of dialogs) {
    await open(page, path);
    await button(opens).click();
    await dialog(named).waitFor();
    found.push(...(await look(page, named)));
    await page.keyboard.press('Escape');
    await dialog(named).waitFor({ state: 'detached' });
  }
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
}, 240_000);
