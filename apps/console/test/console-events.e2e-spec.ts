import { randomUUID } from 'node:crypto';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
const problems: string[] = [];

const identifier = `shop-${randomUUID().slice(0, 8)}`;
const schema = {
  type: 'object',
  required: ['order', 'total'],
  properties: {
    order: { type: 'string' },
    total: { type: 'number' },
    paid: { type: 'boolean' },
    channel: { enum: ['web', 'shop'] },
    address: { type: 'object', properties: { city: { type: 'string' } } },
  },
};
const task = (name: string) => ({
  name,
  type: 'EVENT',
  active: true,
  steps: [{ id: 'note', type: 'transform', with: { text: 'Thanks for {{ execution.inputs.trigger.payload.order }}' } }],
});
const HOSTILE = '<img src=x onerror=alert(1)>';

async function make(path: string, body: object): Promise<{ id: string }> {
  const answer = await space.owner.post(path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data as { id: string };
}

beforeAll(async () => {
  space = await platform.newSpace();
  await make('/applications', {
    manifest: { identifier, name: 'Shop', version: '1.0.0', events: [{ name: 'order.paid', schema }] },
  });
  const subscribe = async (name: string, filter?: object): Promise<void> => {
    const { id: taskId } = await make('/tasks', task(name));
    await make('/events/subscriptions', { appIdentifier: identifier, event: 'order.paid', taskId, filter });
  };
  await subscribe(`Thank ${HOSTILE}`);
  await subscribe('Only for the rich', { total: { gte: 1000 } });
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const part = (name: string) => page.getByRole('region', { name, exact: true });

test('an event is emitted by hand: a refusal stays at its payload, and the page says what it triggered and what not', async () => {
  await page.goto(`${platform.url}/console/events`);
  await signIn(page, space.owner);
  await heading('Events');
  await button('Emit event').click();
  const dialog = page.getByRole('dialog', { name: 'Emit event' });
  // By its schema: a field for each property. A refusal stands at its field.
  await dialog.getByRole('spinbutton', { name: 'total' }).fill('20');
  await dialog.getByRole('combobox', { name: 'paid' }).selectOption({ label: 'true' });
  await dialog.getByRole('combobox', { name: 'channel' }).selectOption({ label: 'web' });
  await dialog.getByRole('textbox', { name: 'address' }).fill('{"city": 3}');
  await dialog.getByRole('button', { name: 'Emit event' }).click();
  await dialog.getByText(/^payload\.address\.city: /).waitFor();
  await dialog.getByRole('textbox', { name: 'address' }).fill('{"city": "Porto"}');
  const colourOf = (name: string): Promise<string> =>
    dialog
      .getByRole('button', { name, exact: true })
      .evaluate((each) => each.ownerDocument.defaultView.getComputedStyle(each).borderColor);
  expect(await colourOf('Form')).not.toBe(await colourOf('JSON'));
  await dialog.getByRole('button', { name: 'JSON', exact: true }).click();
  const payload = dialog.getByRole('textbox', { name: 'Payload' });
  for (const written of ['"paid": true', '"channel": "web"', '"city": "Porto"'])
    await payload.getByText(written).waitFor();
  // It begins with what the schema asks for.
  await payload.getByText('"total"').waitFor();
  await payload.fill('{"order": 7, "total": 20}');
  await dialog.getByRole('button', { name: 'Emit event' }).click();
  await dialog.getByText(/^payload\.order: /).waitFor();
  await payload.fill(JSON.stringify({ order: 'later', total: 20 }));
  await dialog.getByRole('button', { name: 'Form', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'order' }).fill(HOSTILE);
  await dialog.getByRole('button', { name: 'Emit event' }).click();
  await heading('order.paid');
  await page.getByText('Done', { exact: true }).first().waitFor();
  await page.getByRole('group', { name: 'Payload' }).getByText(HOSTILE).waitFor();
  await page.getByRole('group', { name: 'Schema' }).getByText('"required"').waitFor();
  await part('Matched subscriptions').getByRole('link', { name: 'Execution', exact: true }).waitFor();
  await part('Matched subscriptions').getByText(`Thank ${HOSTILE}`).waitFor();
  await part('Unmatched subscriptions').getByText('Only for the rich').waitFor();
  await part('Unmatched subscriptions')
    .getByText(/filter does not fit/)
    .waitFor();
  expect(await page.locator('img').count()).toBe(0);
});

test('a replay leads to what it has triggered, and the page to its causes', async () => {
  await button('Replay').click();
  const text = page.getByRole('status').filter({ hasText: 'Replayed, and triggered' });
  await text.getByRole('link', { name: 'Execution', exact: true }).click();
  await heading(`Thank ${HOSTILE}`);
  await page.goBack();
  await heading('order.paid');
  await part('Matched subscriptions').getByText('replay 1').waitFor();
  // Its effects are listed on its page with links, and appear live.
  const chain = page.getByRole('list', { name: 'Chain of causes' });
  await until(async () => (await chain.getByRole('link', { name: `Thank ${HOSTILE}` }).count()) === 2 || undefined);
  expect(await chain.locator('[aria-current=true]').innerText()).toContain('order.paid');
  await chain.getByText('note', { exact: true }).first().waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Causes', exact: true }).click();
  await page.getByRole('tree', { name: 'Causes' }).getByText('order.paid').first().waitFor();
});

test('the log is filtered in its URL, and comes back as it was', async () => {
  await page.goto(`${platform.url}/console/events`);
  const table = page.getByRole('table', { name: 'Events' });
  await table.getByRole('link', { name: 'order.paid', exact: true }).first().waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('SKIPPED');
  await page.getByText('Nothing like that').waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('SKIPPED');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('DISPATCHED');
  await page.getByRole('combobox', { name: 'Event' }).selectOption('order.paid');
  await page.getByRole('combobox', { name: 'Application' }).selectOption(identifier);
  await page.getByRole('combobox', { name: 'Source' }).selectOption('app');
  await page.getByText('Nothing like that').waitFor();
  await page.getByRole('combobox', { name: 'Source' }).selectOption('user');
  await button('Custom').click();
  await page.getByLabel('From', { exact: true }).fill('2026-01-01T00:00');
  await page.keyboard.press('Enter');
  await page.reload();
  await table.getByRole('link', { name: 'order.paid', exact: true }).first().click();
  await heading('order.paid');
  await page.goto(`${platform.url}/console/events/${randomUUID()}`);
  await heading('Not found');
});

test('an application is installed, its key shown once, and a refused manifest stays', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Applications', exact: true }).click();
  await heading('Applications');
  await button('Install application').click();
  const dialog = page.getByRole('dialog', { name: 'Install application' });
  const text = dialog.getByRole('textbox', { name: 'Manifest' });
  await text.getByText('"identifier"').waitFor();
  const manifest = {
    identifier: `depot-${randomUUID().slice(0, 8)}`,
    name: `Depot ${HOSTILE}`,
    version: '1.0.0',
    events: [{ name: 'stock.low', description: HOSTILE, schema: { type: 'object' } }],
    subscriptions: [{ event: 'stock.low', task: task('Order more') }],
  };
  const install = dialog.getByRole('button', { name: 'Install application' });
  await text.fill(JSON.stringify({ ...manifest, events: [{ name: 'stock.low', schema: { type: 'nothing' } }] }));
  await install.click();
  await dialog
    .getByText(/^manifest\.events\S*: /)
    .first()
    .waitFor();
  await text.fill(JSON.stringify(manifest));
  await install.click();
  const shown = page.getByRole('dialog', { name: "The application's key" });
  const key = (await shown.getByLabel('Key', { exact: true }).textContent()) ?? '';
  await page.keyboard.press('Escape');
  await shown.getByRole('checkbox', { name: 'I have stored it' }).check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);
  const emission = { appIdentifier: manifest.identifier, event: 'stock.low', payload: { pieces: 2 } };
  expect((await space.owner.as(`Bearer ${key}`).post('/events/emit', emission)).status).toBe(202);
  await page.getByRole('table', { name: 'Subscriptions' }).getByText('Order more').waitFor();
  await page
    .getByRole('table', { name: 'Applications' })
    .getByRole('link', { name: /^Depot/ })
    .click();
  await heading(manifest.name);
  await part('Default tasks').getByText('Order more').waitFor();
  expect(await page.locator('img').count()).toBe(0);
});

test('it is upgraded by what changes, subscribed to, and uninstalled by what goes', async () => {
  await button('Upgrade').click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade application' });
  const text = dialog.getByRole('textbox', { name: 'Manifest' });
  await text.getByText('"stock.low"').first().waitFor();
  const { body } = await space.owner.get(page.url().replace(/.*console/, ''));
  const { manifest } = body.data as { manifest: { identifier: string; events: object[] } };
  const events = [...manifest.events, { name: 'stock.full', schema: { type: 'object' } }];
  await text.fill(JSON.stringify({ ...manifest, version: '1.1.0', events }));
  await dialog.getByText('event stock.full is added').waitFor();
  await dialog.getByRole('button', { name: 'Upgrade application' }).click();
  await part('Events').getByText('stock.full').waitFor();
  await button('Create subscription').click();
  const form = page.getByRole('dialog', { name: 'Create subscription' });
  await form.getByRole('combobox', { name: 'Task' }).selectOption({ label: 'Only for the rich' });
  await form.getByRole('combobox', { name: 'Event' }).selectOption({ label: `stock.low (${manifest.identifier})` });
  const filter = form.getByRole('textbox', { name: 'Filter' });
  await filter.fill('{"total": {"near": 3}}');
  await form.getByRole('button', { name: 'Create subscription' }).click();
  await form
    .getByText(/^filter\S*: /)
    .first()
    .waitFor();
  await filter.fill('{"total": {"lt": 3}}');
  await form.getByRole('button', { name: 'Create subscription' }).click();
  const row = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row', { name: /Only for the rich/ });
  await row.getByRole('button', { name: 'Pause' }).click();
  await row.getByText('Paused', { exact: true }).waitFor();
  const paused = await space.owner.get('/events/subscriptions?active=false');
  expect((paused.body.data as { filter: unknown }[]).map(({ filter: stored }) => stored)).toContainEqual({
    total: { lt: 3 },
  });
  // Its filter is tried on what was emitted before it is saved.
  await row.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit subscription' });
  await edit.getByRole('textbox', { name: 'Filter' }).fill('{"pieces": {"lt": 3}}');
  await edit.getByRole('button', { name: 'Test filter' }).click();
  await edit.getByText('Matches 1 of the latest 1 emissions').waitFor();
  await edit.getByRole('textbox', { name: 'Filter' }).fill('{"pieces": {"lt": 2}}');
  await edit.getByRole('button', { name: 'Test filter' }).click();
  await edit.getByText('Matches 0 of the latest 1 emissions').waitFor();
  await edit.getByRole('button', { name: 'Save subscription' }).click();
  await row.getByText('{"pieces":{"lt":2}}').waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByText('Active', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete subscription' }).click();
  await row.waitFor({ state: 'detached' });
  await button('Uninstall').click();
  const leaving = page.getByRole('dialog', { name: 'Uninstall application' });
  await leaving.getByText('the event stock.full').waitFor();
  await leaving.getByText(/its task Order more/).waitFor();
  await leaving.getByRole('button', { name: 'Uninstall application' }).click();
  await heading('Applications');
  await page.getByRole('table', { name: 'Applications' }).getByRole('link', { name: 'Shop' }).waitFor();
  expect(await page.getByRole('link', { name: /^Depot/ }).count()).toBe(0);
});

test('a VIEWER reads it all, and has no button that would be refused', async () => {
  const viewer = await space.member('VIEWER');
  const context = await browser.newContext();
  const other = await openPage(context, platform.url, problems);
  await other.goto(`${platform.url}/console/events`);
  await signIn(other, viewer);
  await other.getByRole('table', { name: 'Events' }).getByRole('link', { name: 'order.paid' }).first().click();
  await other.getByRole('region', { name: 'Matched subscriptions' }).getByRole('link').first().waitFor();
  expect(await other.getByRole('button', { name: /Emit event|Replay/ }).count()).toBe(0);
  await other.getByRole('link', { name: 'Applications', exact: true }).click();
  await other.getByRole('table', { name: 'Applications' }).getByRole('link', { name: 'Shop' }).click();
  await other.getByRole('table', { name: 'Subscriptions' }).getByRole('link').first().waitFor();
  const actions = /Install|Upgrade|Rotate|Uninstall|Emit|New|Delete/;
  expect(await other.getByRole('main').getByRole('button', { name: actions }).count()).toBe(0);
  await context.close();
});

test('nothing of it broke, and nothing was refused by the policy', () => {
  expect(problems).toEqual([]);
});
