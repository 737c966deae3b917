import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { goTo, openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone } from './support/look';

const platform = usePlatform();
const IDENTIFIER = `shop-${Math.random().toString(36).slice(2, 10)}`;
let space: TestSpace;
let browser: Browser;
let page: Page;
let server: Server;
let receiver: string;
let application: Client;
const problems: string[] = [];
const received: { headers: Record<string, string>; body: string }[] = [];
/** How the receiver answers. */
let status = 500;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  receiver = `http://127.0.0.2:${(server.address() as AddressInfo).port}/hook`;
  space = await platform.newSpace();
  const events = [{ name: 'order.created', schema: { type: 'object' } }];
  const manifest = { identifier: IDENTIFIER, name: 'Shop', version: '1.0.0', events };
  const installed = await space.owner.post('/applications', { manifest });
  application = space.owner.as(`Bearer ${installed.body.data.systemApiKey as string}`);
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ viewport: WIDE }), platform.url, problems);
  await page.goto(`${platform.url}/console/endpoints`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(async () => {
  await browser.close();
  server.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

async function store(title: string, label: string): Promise<string> {
  const shown = page.getByRole('dialog', { name: title });
  const value = (await shown.getByLabel(label, { exact: true }).textContent()) ?? '';
  await shown.getByRole('checkbox', { name: 'I have stored it' }).check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  return value;
}

async function act(name: string, action: string): Promise<void> {
  await button(`Actions of ${name}`).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

let secret = '';

test('an endpoint is made, and its secret is shown once', async () => {
  await button('Create endpoint').click();
  const dialog = page.getByRole('dialog', { name: 'Create endpoint' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Not A Name');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator('[aria-invalid=true]')).waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('orders');
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  secret = await store('The secret of your endpoint', 'Secret');
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
  expect(await page.content()).not.toContain(secret);
});

test('it is subscribed to an event, and a test that the receiver refuses is said', async () => {
  await button('Create subscription').click();
  const dialog = page.getByRole('dialog', { name: 'Create subscription' });
  const events = dialog.getByRole('combobox', { name: 'Event' });
  // Events of the platform are offered as well.
  await events.getByRole('option', { name: 'turn.completed (switchyard)' }).waitFor({ state: 'attached' });
  await events.selectOption({ label: `order.created (${IDENTIFIER})` });
  await dialog.getByRole('button', { name: 'Create subscription' }).click();
  await page.getByRole('table', { name: 'Subscriptions' }).getByText('order.created').waitFor();
  await button('Send test').click();
  await page.getByText('The test failed').first().waitFor();
  status = 200;
  await button('Send test').click();
  await page.getByText('The test was accepted with 200').first().waitFor();
});

test('a delivery shows its attempts, and is sent again', async () => {
  status = 400;
  await application.post('/events/emit', { appIdentifier: IDENTIFIER, event: 'order.created', payload: { order: 1 } });
  const rows = page.getByRole('table', { name: 'Deliveries' });
  await rows.getByRole('link', { name: 'order.created' }).waitFor();
  await until(async () => ((await rows.textContent()) ?? '').includes('400') || undefined);
  await page.reload();
  await page.getByText('Failing').first().waitFor();
  status = 200;
  const before = received.length;
  await rows.getByRole('button', { name: 'Send again: order.created' }).first().click();
  await rows.getByText('sent again').waitFor();
  await rows.getByText('Delivered').first().waitFor();
  const last = received.slice(before).find(({ body }) => body.includes('order.created'));
  expect(new Webhook(secret).verify(last?.body ?? '', last?.headers ?? {})).toMatchObject({ type: 'order.created' });
});

test('it is paused, and its secret is rotated', async () => {
  await act('orders', 'Pause');
  await page.getByText('Paused').waitFor();
  await act('orders', 'Activate');
  await page.getByText('Paused').waitFor({ state: 'detached' });
  await act('orders', 'Rotate secret');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const rotated = await store('The new secret', 'Secret');
  expect(rotated).not.toBe(secret);
});

test('axe finds nothing on its page, and a phone loses nothing', async () => {
  expect([...(await look(page, 'an endpoint')), ...(await lookAtPhone(page, 'an endpoint'))]).toEqual([]);
  await page.setViewportSize(WIDE);
});

test('it is deleted', async () => {
  await act('orders', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('No endpoints yet').waitFor();
});

test('a NATS account is made, its seed is shown once, and it is rotated and revoked', async () => {
  await goTo(page, 'NATS accounts');
  await button('Create NATS account').click();
  const dialog = page.getByRole('dialog', { name: 'Create NATS account' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('billing');
  await dialog.getByRole('checkbox', { name: 'events:emit' }).check();
  await dialog.getByRole('textbox', { name: 'Emits for' }).fill(IDENTIFIER);
  await dialog.getByRole('button', { name: 'Create NATS account' }).click();
  const seed = await store('The seed of your account', 'Seed');
  expect(seed).toMatch(/^SU[A-Z2-7]{56}$/);
  expect(await page.content()).not.toContain(seed);
  const listed = await space.owner.get(`/spaces/${space.id}/nats-accounts`);
  expect(listed.body.data).toMatchObject([
    {
      name: 'billing',
      scopes: ['agents:read', 'agents:call', 'events:emit'],
      limits: { applications: [IDENTIFIER] },
    },
  ]);
  await button('billing').click();
  const details = page.getByRole('dialog', { name: 'billing' });
  await details.getByText('Tokens today').waitFor();
  await details.getByText(/^switchyard\.v1\./).waitFor();
  await page.keyboard.press('Escape');
  await act('billing', 'Rotate');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate account' }).click();
  expect(await store('The seed of your account', 'Seed')).not.toBe(seed);
  await act('billing', 'Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke account' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  expect([...(await look(page, 'NATS accounts')), ...(await lookAtPhone(page, 'NATS accounts'))]).toEqual([]);
  expect(problems).toEqual([]);
});

test('a MEMBER sees the endpoints, and nothing to change', async () => {
  const url = 'https://hooks.example.com/a-secret-path';
  await space.owner.post('/events/endpoints', { name: 'theirs', url });
  const context = await browser.newContext({ viewport: WIDE });
  const theirs = await openPage(context, platform.url, problems);
  await theirs.goto(`${platform.url}/console/endpoints`);
  await signIn(theirs, await space.member('MEMBER'));
  await theirs.getByRole('link', { name: 'theirs' }).click();
  await theirs.getByRole('heading', { level: 1, name: 'theirs' }).waitFor();
  expect(await theirs.getByRole('button', { name: 'Send test' }).count()).toBe(0);
  expect(await theirs.content()).not.toContain('a-secret-path');
  expect(await theirs.getByRole('link', { name: 'NATS accounts' }).count()).toBe(0);
  await context.close();
});
