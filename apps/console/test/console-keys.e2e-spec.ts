import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
/** From the menu of a key's row. */
async function choose(row: Locator, action: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions of/ }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

test('a wrong password is refused, the right one opens the console', async () => {
  await page.goto(`${platform.url}/console/keys`);
  await signIn(page, space.owner, 'not the password');
  await page
    .getByText(/UNAUTHORIZED|is wrong/)
    .first()
    .waitFor();
  await signIn(page, space.owner);
  await heading('Keys');
});

test('a key is made with its scopes, shown once, used, and revoked', async () => {
  await button('Create key').click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  // The dialog begins where one writes, and goes to what was refused.
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const hasFocus = (): Promise<true> =>
    until(async () => (await name.evaluate((one) => one === one.ownerDocument.activeElement)) || undefined);
  await hasFocus();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('must not be empty').first().waitFor();
  await hasFocus();
  await name.fill('<img src=x onerror=alert(1)> from the console');
  await dialog.getByRole('checkbox', { name: 'tasks:read', exact: true }).check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Your key' });
  const key = (await shown.getByLabel('Key', { exact: true }).textContent()) ?? '';
  expect(key).toMatch(/^[0-9A-Za-z]{40}$/);
  // It cannot be closed by mistake.
  await page.keyboard.press('Escape');
  expect(await shown.isVisible()).toBe(true);
  await shown.getByRole('checkbox', { name: 'I have stored it' }).check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  const caller = space.owner.as(`Bearer ${key}`);
  expect((await caller.get('/tasks')).status).toBe(200);
  expect((await caller.get('/datasets')).status).toBe(403);
  const stored = await page.evaluate<string>(
    'document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })',
  );
  expect(stored).not.toContain(key);
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /from the console/ });
  await choose(row, 'Revoke');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await until(async () => (await caller.get('/tasks')).status === 401 || undefined);
  await row.getByText('Revoked').waitFor();
  expect(await page.locator('img').count()).toBe(0);
});

test('limits of a key are changed later, and a rotation that got no answer is not done twice', async () => {
  const made = await space.owner.post('/api-keys', { name: 'Limited', scopes: ['tasks:read', 'tasks:write'] });
  const path = `/api-keys/${made.body.data.id as string}`;
  await page.reload();
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /Limited/ });
  await choose(row, 'Edit');
  const edit = page.getByRole('dialog', { name: 'Edit Limited' });
  expect(await edit.getByRole('checkbox', { name: 'agents:call', exact: true }).isDisabled()).toBe(true);
  await edit.getByRole('checkbox', { name: 'tasks:write', exact: true }).uncheck();
  await edit.getByRole('spinbutton', { name: 'Tokens a day' }).fill('5000');
  await edit.getByRole('combobox', { name: 'Models' }).selectOption('some');
  await edit.getByRole('checkbox', { name: 'sim-chat', exact: true }).check();
  await edit.getByRole('button', { name: 'Save key' }).click();
  await edit.waitFor({ state: 'detached' });
  expect((await space.owner.get(path)).body.data).toMatchObject({
    scopes: ['tasks:read'],
    limits: { dailyTokens: 5000, models: ['sim-chat'] },
  });
  // The answer to the first rotation is lost on its way.
  const answered: string[] = [];
  await page.route(/\/rotate$/, async (route) => {
    const answer = await route.fetch();
    answered.push(answer.headers()['idempotency-replayed'] ?? 'first');
    if (answered.length === 1) await route.abort();
    else await route.fulfill({ response: answer });
  });
  await choose(row, 'Rotate');
  // An empty period is not taken for none: the old value would end at once.
  const grace = page.getByRole('spinbutton', { name: 'Grace period in minutes' });
  await grace.fill('');
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).isDisabled()).toBe(true);
  await grace.fill('60');
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await page.getByText('it cannot be shown again').waitFor();
  await page.unroute(/\/rotate$/);
  expect(answered).toEqual(['first', 'true']);
  const old = space.owner.as(`Bearer ${made.body.data.key as string}`);
  expect((await old.get('/tasks')).status).toBe(200);
});

test('a key has its whole name and all its buttons at each width of a screen', async () => {
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row', { name: /Limited/ });
  for (const width of [1440, 1280, 1100, 1024, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const cut = (): Promise<string[]> =>
      row.evaluate((one): string[] => {
        const parts = [one, ...one.querySelectorAll('*')] as (typeof one)[];
        const styleOf = (part: typeof one) => part.ownerDocument.defaultView.getComputedStyle(part);
        return parts
          .filter((part) => styleOf(part).textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth)
          .map((part) => String(part.textContent));
      });
    // Its rows are drawn anew.
    await until(async () => (await cut()).length === 0 || undefined, { timeoutMs: 20_000 }).catch(async () =>
      expect({ width, cut: await cut() }).toEqual({ width, cut: [] }),
    );
    expect(await row.getByRole('button', { name: 'Actions of Limited' }).isVisible()).toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('a secret is stored without a trace of its value, and deleted by its name', async () => {
  await goTo(page, 'Secrets');
  await button('Create secret').click();
  const dialog = page.getByRole('dialog', { name: 'Create secret' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('1 is no name');
  await dialog.getByLabel('Value', { exact: true }).fill('a-value-of-the-test');
  await dialog.getByRole('button', { name: 'Create secret' }).click();
  // The input stays in the form after an error.
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('CRM_TOKEN');
  await dialog.getByRole('button', { name: 'Create secret' }).click();
  const row = page.getByRole('table', { name: 'Secrets' }).getByRole('row', { name: /CRM_TOKEN/ });
  await row.waitFor();
  expect(await page.content()).not.toContain('a-value-of-the-test');
  // A secret that may be sent to more hosts than before needs its value again.
  const change = page.getByRole('dialog', { name: 'Change CRM_TOKEN' });
  const store = async (hosts: string): Promise<void> => {
    await row.getByRole('button', { name: 'Change' }).click();
    await change.getByLabel('Hosts').fill(hosts);
  };
  await store('crm.example');
  expect(await change.getByText('Empty: the value is kept.').isVisible()).toBe(true);
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  await store('crm.example\nother.example');
  await change.getByText('Enter the value again').waitFor();
  await change.getByRole('button', { name: 'Save' }).click();
  await change.getByText('must be given again').first().waitFor();
  await change.getByLabel('Value', { exact: true }).fill('a-value-of-the-test');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  const [stored] = (await space.owner.get('/secrets')).body.data as { hosts: string[] }[];
  expect(stored?.hosts).toEqual(['crm.example', 'other.example']);
  // A confirmation for one secret does not apply to another.
  const ids: string[] = [];
  for (const [name, header] of [
    ['USED_TOKEN', '{{ secrets.USED_TOKEN }}'],
    ['ALSO_USED', '{{ secrets.ALSO_USED }}'],
  ] as const) {
    const secret = await space.owner.post('/secrets', { name, value: 'a-value-of-the-test' });
    expect(secret.status).toBe(201);
    ids.push(secret.body.data.id as string);
    const step = { id: 'call', type: 'http', with: { url: 'https://example.com', headers: { authorization: header } } };
    expect((await space.owner.post('/tasks', { name, steps: [step] })).status).toBe(201);
  }
  await page.reload();
  const used = (name: string) =>
    page.getByRole('table', { name: 'Secrets' }).getByRole('row', { name: new RegExp(name) });
  await used('USED_TOKEN').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('checkbox', { name: 'Delete even though it is in use' }).check();
  await button('Keep').click();
  await used('ALSO_USED').getByRole('button', { name: 'Delete' }).click();
  expect(await page.getByRole('checkbox', { name: 'Delete even though it is in use' }).isChecked()).toBe(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expect((await space.owner.get(`/secrets/${ids[1]}`)).status).toBe(200);
  await button('Keep').click();
  for (const id of ids) await space.owner.delete(`/secrets/${id}?force=true`);
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click();
  await until(async () => (await space.owner.get('/secrets')).body.data.length === 0 || undefined);
});

test('a member is added with a role, which changes, and is removed', async () => {
  await goTo(page, 'Members');
  await button('Add member').click();
  const dialog = page.getByRole('dialog', { name: 'Add member' });
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('ada@console.example');
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('VIEWER');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill('long enough for anybody');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row', { name: /ada@console/ });
  await row.getByRole('button', { name: 'Change role of ada@console.example' }).click();
  const change = page.getByRole('dialog', { name: 'Change role' });
  // The arrows of the keyboard choose, and give nothing yet.
  await change.getByRole('combobox', { name: 'Role' }).selectOption('ADMIN');
  await change.getByRole('combobox', { name: 'Role' }).selectOption('MEMBER');
  const roles = async (): Promise<unknown> => {
    const { body } = await space.owner.get(`/spaces/${space.id}/members`);
    return (body.data as { email: string; role: string }[]).find(({ email }) => email.startsWith('ada@'))?.role;
  };
  expect(await roles()).toBe('VIEWER');
  await change.getByRole('button', { name: 'Change role' }).click();
  await until(async () => (await roles()) === 'MEMBER' || undefined);
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
  await until(async () => (await roles()) === undefined || undefined);
});

test('an invited person follows the link, chooses a password, and changes it', async () => {
  await goTo(page, 'Members');
  await button('Add member').click();
  const dialog = page.getByRole('dialog', { name: 'Add member' });
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('grace@console.example');
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('VIEWER');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  const shown = page.getByRole('dialog', { name: 'Invitation' });
  const link = (await shown.getByLabel('Invitation', { exact: true }).textContent()) ?? '';
  await shown.getByRole('checkbox', { name: 'I have stored it' }).check();
  await shown.getByRole('button', { name: 'Done' }).click();
  const context = await browser.newContext();
  const theirs = await openPage(context, platform.url, problems);
  await theirs.goto(link);
  const field = (name: string) => theirs.getByRole('textbox', { name, exact: true });
  const press = (name: string): Promise<void> => theirs.getByRole('button', { name, exact: true }).click();
  await field('New password').fill('short');
  await field('Repeat password').fill('short');
  await press('Join the Space');
  await theirs
    .getByText(/at least 12 characters/)
    .first()
    .waitFor();
  await field('New password').fill('chosen by Grace herself');
  expect(await theirs.getByRole('button', { name: 'Join the Space' }).isDisabled()).toBe(true);
  await field('Repeat password').fill('chosen by Grace herself');
  await press('Join the Space');
  await theirs.getByRole('navigation', { name: 'Main' }).waitFor();
  await until(() => (theirs.url() === `${platform.url}/console/activity` ? true : undefined));
  await press('Account and theme');
  await theirs.getByRole('menuitem', { name: 'Change password' }).click();
  await field('Current password').fill('not the password');
  await field('New password').fill('another one of Grace');
  await field('Repeat password').fill('another one of Grace');
  await press('Change password');
  await theirs.getByRole('dialog').getByRole('alert').waitFor();
  await field('Current password').fill('chosen by Grace herself');
  await press('Change password');
  await theirs.getByRole('status').getByText('Password changed.').waitFor();
  const login = { email: 'grace@console.example', password: 'another one of Grace', spaceId: space.id };
  expect((await platform.anonymous.post('/auth/login', login)).status).toBe(200);
  await context.close();
});

test('a person who is signed in joins another Space with that account', async () => {
  const other = await platform.newSpace('The other Space');
  const invitation = { email: 'whoever@console.example', role: 'MEMBER' };
  const { body } = await other.owner.post(`/spaces/${other.id}/members`, invitation);
  const context = await browser.newContext();
  const theirs = await openPage(context, platform.url, problems);
  await theirs.goto(`${platform.url}/console/invitation#${body.data.invitation.token as string}`);
  await theirs.getByRole('button', { name: 'Sign in with an account that I have' }).click();
  const member = await space.member('MEMBER');
  await signIn(theirs, member);
  await theirs.getByRole('heading', { level: 1, name: 'Invitation', exact: true }).waitFor();
  await theirs.getByRole('button', { name: 'Join with this account' }).click();
  await until(() => (theirs.url() === `${platform.url}/console/activity` ? true : undefined));
  await theirs.getByText('The other Space').first().waitFor();
  const members = (await other.owner.get(`/spaces/${other.id}/members`)).body.data as { email: string }[];
  expect(members.map(({ email }) => email)).toContain(member.identity.email);
  await context.close();
});

test('a job is submitted, and shows what the agent has answered', async () => {
  const agent = await space.owner.post('/agents', {
    name: 'Console helper',
    model: 'sim-chat',
    systemPrompt: 'You are brief.',
  });
  expect(agent.status).toBe(201);
  await goTo(page, 'Jobs');
  await button('Submit job').click();
  const dialog = page.getByRole('dialog', { name: 'Submit job' });
  await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Console helper' });
  await dialog.getByRole('button', { name: 'Submit job' }).click();
  await dialog.getByText('Enter a message.').waitFor();
  await dialog.getByRole('textbox', { name: 'Message' }).fill('hello <b>there</b>');
  await dialog.getByRole('button', { name: 'Submit job' }).click();
  await heading('Job of Console helper');
  await page.getByText('Done', { exact: true }).first().waitFor();
  await page
    .getByRole('group', { name: 'Result' })
    .getByText(/hello <b>there<\/b>/)
    .waitFor();
  await page.goBack();
  await page
    .getByRole('table', { name: 'Jobs' })
    .getByRole('link', { name: /Console helper/ })
    .waitFor();
});

test('a job that failed is submitted again, and shows what became of its callback', async () => {
  await button('Submit job').click();
  const dialog = page.getByRole('dialog', { name: 'Submit job' });
  await dialog.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Console helper' });
  await dialog.getByRole('textbox', { name: 'Message' }).fill('@@error 400');
  await dialog.getByRole('textbox', { name: 'Callback' }).fill('http://localhost:9/hook');
  await dialog.getByRole('spinbutton', { name: 'Attempts' }).fill('2');
  await dialog.getByRole('spinbutton', { name: 'Timeout' }).fill('60');
  await dialog.getByRole('button', { name: 'Submit job' }).click();
  await heading('Job of Console helper');
  const callback = page.getByRole('region', { name: 'Callback' });
  // An address that is not public is never asked.
  await callback.getByText('Given up').waitFor();
  await callback.getByText('VALIDATION_ERROR').waitFor();
  const first = page.url();
  await button('Retry').click();
  await until(() => (page.url() === first ? undefined : true));
  await page.getByText('Failed').first().waitFor();
  const jobs = (await space.owner.get('/agent-jobs')).body.data as Record<string, unknown>[];
  const again = { maxAttempts: 2, timeoutSeconds: 60, callbackUrl: 'http://localhost:9/hook' };
  expect(jobs.slice(0, 2)).toEqual([expect.objectContaining(again), expect.objectContaining(again)]);
  expect(jobs[0]?.['input']).toEqual(jobs[1]?.['input']);
  await goTo(page, 'Jobs');
});

test('a reload keeps the sign-in and the place, and somebody with less rights sees no button that would be refused', async () => {
  await page.reload();
  await heading('Jobs');
  const viewer = await space.member('VIEWER');
  const context = await browser.newContext();
  const other = await openPage(context, platform.url, problems);
  await other.goto(`${platform.url}/console/keys`);
  await signIn(other, viewer);
  await other.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await other.getByRole('link', { name: 'Secrets', exact: true }).count()).toBe(0);
  expect(await other.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  await context.close();
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});

test('an ADMIN keeps or removes the right to answer approvals of keys that are older than it', async () => {
  const older = async (name: string): Promise<string> => {
    const { keyId = '' } = (await space.key({ name, scopes: ['*', 'approvals:answer'] })).identity;
    await platform.database.query(`update key.api_keys set legacy_scopes = '{approvals:answer}' where id = $1`, [
      keyId,
    ]);
    return keyId;
  };
  const [stored, removed] = [await older('older kept'), await older('older removed')];
  await page.goto(`${platform.url}/console/keys`);
  const note = (name: string) => page.getByRole('status').filter({ hasText: name });
  await note('older kept').getByRole('button', { name: 'Keep' }).click();
  await note('older kept').waitFor({ state: 'detached' });
  await note('older removed').getByRole('button', { name: 'Remove' }).click();
  await note('older removed').waitFor({ state: 'detached' });
  const scopesOf = async (id: string): Promise<unknown> => {
    const { scopes, legacyScopes } = (await space.owner.get(`/api-keys/${id}`)).body.data;
    return { scopes, legacyScopes };
  };
  expect(await scopesOf(stored)).toEqual({ scopes: ['*', 'approvals:answer'], legacyScopes: undefined });
  expect(await scopesOf(removed)).toEqual({ scopes: ['*'], legacyScopes: undefined });
  expect(problems).toEqual([]);
});
