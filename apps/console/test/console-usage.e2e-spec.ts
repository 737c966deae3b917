import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
let agentId: string;
const problems: string[] = [];

const openAs = async (of: Page, who: Client, path: string): Promise<void> => {
  await of.goto(`${platform.url}/console/${path}`);
  await signIn(of, who);
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const open = (name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const region = (name: string) => page.getByRole('region', { name, exact: true });
const spin = (name: string) => page.getByRole('spinbutton', { name, exact: true });
const settings = async (): Promise<Record<string, unknown>> =>
  (await space.owner.get(`/spaces/${space.id}`)).body.data.settings as Record<string, unknown>;

beforeAll(async () => {
  space = await platform.newSpace();
  const agent = await space.owner.post('/agents', { name: '<b>Burner</b>', model: 'sim-chat', systemPrompt: 'Brief.' });
  agentId = agent.body.data.id as string;
  const turn = { contents: [{ type: 'text', text: '@@usage 900 100\n@@reply done' }], stream: false };
  expect((await space.owner.post(`/agents/${agentId}/chat`, turn)).status).toBe(200);
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
  await openAs(page, space.owner, 'usage');
}, 120_000);

afterAll(() => browser.close());

test('usage shows what is left, until when, and who has used it', async () => {
  await heading('Usage');
  await until(async () => /99\d,\d{3}/.test((await region('Balance').textContent()) ?? '') || undefined);
  await region('Reserved').waitFor();
  // A day at which it ends, not "Not in sight".
  await region('Balance ends')
    .getByText(/tokens a day, as in the last 7 days|\d{4}/)
    .first()
    .waitFor();
  await page.getByRole('table', { name: 'Tokens a day' }).waitFor({ state: 'attached' });
  const usage = page.getByRole('table', { name: 'Usage', exact: true });
  await usage.getByRole('row', { name: /sim-chat/ }).waitFor();
  const by = page.getByRole('combobox', { name: 'Group by' });
  await by.selectOption('agent');
  await usage.getByRole('link', { name: '<b>Burner</b>' }).waitFor();
  await by.selectOption('key');
  await usage.getByRole('row', { name: /Without a key/ }).waitFor();
  await by.selectOption('day');
  await usage.getByRole('row', { name: /\d{4}-\d{2}-\d{2}/ }).waitFor();
  await by.selectOption('user');
  // The choice is in the URL.
  await page.reload();
  await heading('Usage');
  expect(await by.inputValue()).toBe('user');
});

test('credits that an operator gives are in the ledger, and an owner is offered none', async () => {
  expect(await button('Add credits').count()).toBe(0);
  expect((await space.credit(5_000_000, '<img src=x onerror=alert(1)> order 7')).status).toBe(201);
  await page.reload();
  await heading('Usage');
  const ledger = page.getByRole('table', { name: 'Ledger' });
  await ledger
    .getByRole('row', { name: /order 7/ })
    .getByText('+5,000,000')
    .waitFor();
  await until(async () => /^Balance5,99\d,\d{3}/.test((await region('Balance').textContent()) ?? '') || undefined);
  expect(await page.locator('img').count()).toBe(0);
});

test('on a phone each figure has its name once', async () => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const wordsOf = async (table: string): Promise<string> =>
    (await page.getByRole('table', { name: table, exact: true }).innerText()).replaceAll(/\s+/gu, ' ');
  await until(async () => /Balance after ?[\d,]+ ?When/u.test(await wordsOf('Ledger')) || undefined);
  expect(await wordsOf('Ledger')).not.toMatch(/Turn ?Turn/u);
  await until(async () => /Calls ?\d+ ?Tokens ?[\d,]+ ?Cost/u.test(await wordsOf('Usage')) || undefined);
  await page.setViewportSize(before ?? { width: 1280, height: 720 });
});

test('an entry of the ledger leads to its turn', async () => {
  await page.getByRole('table', { name: 'Ledger' }).getByRole('link', { name: 'Turn' }).first().click();
  await heading('Causes');
  await page.getByRole('tree', { name: 'Causes' }).waitFor();
});

test('settings hold the name and the caps, which the curves then show', async () => {
  await open('Settings');
  await heading('Settings');
  expect(await button('Save').isDisabled()).toBe(true);
  await spin('Daily token cap').fill('500000');
  await spin('Request token cap').fill('0');
  await spin('Minimum balance').fill('2000');
  await page.getByRole('textbox', { name: 'Space name' }).fill('Renamed here');
  await button('Save').click();
  await page.getByRole('alert').waitFor();
  expect(await spin('Request token cap').getAttribute('aria-invalid')).toBe('true');
  expect(await spin('Daily token cap').getAttribute('aria-invalid')).toBeNull();
  expect(await settings()).toEqual({});
  await spin('Request token cap').fill('20000');
  await button('Save').click();
  await page.getByText('Settings saved.').first().waitFor();
  expect(await settings()).toEqual({ dailyTokenCap: 500_000, requestTokenCap: 20_000, minimumBalance: 2_000 });
  await page.getByRole('button', { name: /Space: *Renamed here/ }).waitFor();
  // An emptied cap is none.
  await spin('Request token cap').fill('');
  await button('Save').click();
  await until(async () => !('requestTokenCap' in (await settings())) || undefined);
  await until(async () => (await button('Save').isDisabled()) || undefined);
  await open('Usage');
  await page
    .getByRole('table', { name: 'Tokens a day' })
    .getByRole('columnheader', { name: 'Daily token cap' })
    .waitFor({ state: 'attached' });
  await page
    .getByRole('table', { name: 'Balance forecast' })
    .getByRole('columnheader', { name: 'Minimum balance' })
    .waitFor({ state: 'attached' });
  await region('Today').getByRole('meter').waitFor();
});

test('an approval of the Space is made, refused where it is wrong, and asked about before it is lost', async () => {
  await open('Settings');
  await button('Add rule').click();
  const rule = page.getByRole('group', { name: 'Rule 1' });
  await rule.getByRole('textbox', { name: 'Tool' }).fill('no tool');
  await rule.getByRole('textbox', { name: 'When' }).fill('{"operation"');
  await rule.getByText('Must be a JSON object.').waitFor();
  expect(await button('Save').isDisabled()).toBe(true);
  await rule.getByRole('textbox', { name: 'When' }).fill('{"operation": "delete"}');
  await rule.getByRole('combobox', { name: 'Approved by' }).selectOption('ADMIN');
  await button('Save').click();
  await page.getByRole('alert').waitFor();
  expect(await rule.getByRole('textbox', { name: 'Tool' }).getAttribute('aria-invalid')).toBe('true');
  await open('Usage');
  const leaving = page.getByRole('dialog', { name: 'Leave without saving' });
  await leaving.getByRole('button', { name: 'Stay' }).click();
  await rule.getByRole('textbox', { name: 'Tool' }).fill('write_dataset');
  await button('Save').click();
  const rules = [{ tool: 'write_dataset', by: 'ADMIN', when: { operation: 'delete' } }];
  await until(async () => 'approvals' in (await settings()) || undefined);
  expect((await settings())['approvals']).toEqual(rules);
});

test('what is said is recorded in traces only where the Space says so', async () => {
  await open('Settings');
  const box = page.getByRole('checkbox', { name: 'Record content in traces' });
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await button('Save').click();
  await until(async () => (await settings())['captureContent'] === true || undefined);
  await until(async () => (await button('Save').isDisabled()) || undefined);
  await box.uncheck();
  await button('Save').click();
  await until(async () => (await settings())['captureContent'] === false || undefined);
});

/** As people read it: a name, otherwise the e-mail address. */
async function ownerName(): Promise<string> {
  const { body } = await space.owner.get(`/spaces/${space.id}/members`);
  const owner = (body.data as Record<'userId' | 'name' | 'email', string>[]).find(
    ({ userId }) => userId === space.owner.identity.userId,
  );
  return owner?.name || (owner?.email ?? '?');
}

test('the webhook secret is in the page only while it is shown, and a new one is in the security events', async () => {
  const secretOf = async (): Promise<string> =>
    (await space.owner.get(`/spaces/${space.id}`)).body.data.webhookSecret as string;
  const before = await secretOf();
  expect(await page.content()).not.toContain(before);
  const section = region('Webhook secret');
  await section.getByRole('button', { name: 'Show' }).click();
  await section.getByText(before).waitFor();
  await section.getByRole('button', { name: 'Hide' }).click();
  await section.getByText(before).waitFor({ state: 'detached' });
  await section.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate webhook secret' }).click();
  await until(async () => (await secretOf()) !== before || undefined);
  await section.getByText(await secretOf()).waitFor();
  await goTo(page, 'Security events');
  const events = page.getByRole('table', { name: 'Security events' });
  const person = await ownerName();
  await events.getByRole('row', { name: /^Webhook secret rotated .* This Space/u }).waitFor();
  await events.getByRole('button', { name: 'Webhook secret rotated' }).click();
  const event = page.getByRole('dialog', { name: 'Webhook secret rotated' });
  await event.getByText(person).waitFor();
  await event.getByText('space.webhook-secret-rotated').waitFor();
  await page.keyboard.press('Escape');
});

test('security events are filtered by event, actor and time, and the URL has the filters', async () => {
  const table = page.getByRole('table', { name: 'Security events' });
  const choose = (name: string, label: string): Promise<unknown> =>
    page.getByRole('combobox', { name, exact: true }).selectOption({ label });
  await table.getByRole('button', { name: 'Signed in' }).first().waitFor();
  await choose('Event', 'Webhook secret rotated');
  await table.getByRole('button', { name: 'Signed in' }).first().waitFor({ state: 'detached' });
  const chip = (name: string) => page.getByRole('button', { name, exact: true });
  await chip('Last hour').click();
  await table.getByRole('button', { name: 'Webhook secret rotated' }).waitFor();
  await choose('By', 'Platform');
  await page.getByText('No event matches these filters.').waitFor();
  await chip('Mine').click();
  await page.reload();
  await until(async () => (await chip('Mine').getAttribute('aria-pressed')) === 'true' || undefined);
  await table.getByRole('button', { name: 'Webhook secret rotated' }).waitFor();
  expect(await table.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await table.getByRole('button', { name: 'Signed in' }).first().waitFor();
  expect(new URL(page.url()).search).toBe('');
  await chip('Access denied').click();
  await page.getByText('No event matches these filters.').waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe('access.denied');
  await chip('Access denied').click();
  await table.getByRole('button', { name: 'Signed in' }).first().waitFor();
});

test('a VIEWER reads both, and sees no button that would be refused', async () => {
  const context = await browser.newContext();
  const other = await openPage(context, platform.url, problems);
  await openAs(other, await space.member('VIEWER'), 'usage');
  await other.getByRole('table', { name: 'Ledger' }).waitFor();
  expect(await other.getByRole('button', { name: 'Add credits' }).count()).toBe(0);
  await other.getByRole('link', { name: 'Settings', exact: true }).click();
  const cap = other.getByRole('spinbutton', { name: 'Daily token cap' });
  await cap.waitFor();
  expect([await cap.isDisabled(), await cap.inputValue()]).toEqual([true, '500000']);
  for (const name of ['Save', 'Add rule', 'Remove rule 1', 'Show', 'Rotate'])
    expect(await other.getByRole('button', { name }).count()).toBe(0);
  expect(await other.getByRole('link', { name: 'Security events', exact: true }).count()).toBe(0);
  await context.close();
});

test('nothing of it broke, and nothing was refused by the policy', () => {
  expect(problems).toEqual([]);
});
