import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { source as axe } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { type HostileSpace, fillSpace } from './support/hostile-space';
import { PHONE, problemAtPhone, textOf } from './support/phone';

// Every place of the console, full of texts that look like markup: what axe finds, light and dark, and what a small
// phone loses. The places are walked in one page, as a person walks them.
const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let made: HostileSpace;
let browser: Browser | undefined;
let page: Page;

beforeAll(async () => {
  space = await platform.newSpace();
  made = await fillSpace(space);
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/activity`);
}, 240_000);

afterAll(() => browser?.close());

const WIDE = { width: 1440, height: 900 };

interface Finding {
  id: string;
  nodes: { html: string }[];
}

const found: string[] = [];

/** All that axe knows of WCAG 2.2 AA; in the dark the colours alone, the rest is the same. */
async function look(of: Page, place: string, within = 'html'): Promise<void> {
  if (!(await of.evaluate<boolean>("'axe' in window"))) await of.evaluate(axe);
  for (const theme of ['light', 'dark'] as const) {
    await of.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await of.locator(`html[data-theme=${theme}]`).waitFor();
    const options =
      theme === 'dark' ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } };
    const violations = await of.evaluate<Finding[]>(
      `axe.run('${within}', ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    for (const { id, nodes } of violations)
      found.push(`${place} ${theme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }
  await of.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** Times are relative: what was now is some seconds ago a moment later. */
const OF_TIMES = /^(now|ago|sec|min|seconds?|minutes?|hours?)$/;

/** Nothing is wider than a small phone, and no word is lost there. */
async function lookAtPhone(of: Page, place: string, within = 'main'): Promise<void> {
  // Without numbers, which change; of a word without end its beginning is enough.
  const words = ((await textOf(of, within)).match(/\p{Letter}{3,40}/gu) ?? []).filter((word) => !OF_TIMES.test(word));
  await of.setViewportSize(PHONE);
  // Rows are measured anew.
  const deadline = Date.now() + 30_000;
  let problem = await problemAtPhone(of, within, words);
  while (problem !== null && Date.now() < deadline) {
    await of.waitForTimeout(50);
    problem = await problemAtPhone(of, within, words);
  }
  if (problem !== null) found.push(`${place}: ${problem}`);
  await of.setViewportSize(WIDE);
}

/** As a link does: without loading the console anew. */
const go = (path: string, of = page): Promise<unknown> =>
  of.evaluate(
    `history.pushState({ ...history.state, __TSR_index: (history.state?.__TSR_index ?? 0) + 1 }, '', '/console${path}')`,
  );

/** Its page with its data. */
async function open(path: string, of = page): Promise<void> {
  await go(path, of);
  await of.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = of.locator('main .shimmer');
  await until(async () => (await loading.count()) === 0 || undefined);
}

test('to sign in is as open to all as the rest', async () => {
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await look(page, 'sign-in');
  await lookAtPhone(page, 'sign-in');
  await page.getByRole('button', { name: 'I have an invitation' }).click();
  await look(page, 'an invitation');
  await lookAtPhone(page, 'an invitation');
  await page.getByRole('button', { name: 'Sign in with an account that I have' }).click();
  await signIn(page, space.owner);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(found).toEqual([]);
});

/** Every route, with a record where it has one, and one that there is not. */
const places = (): string[] => [
  ...[
    '/activity',
    `/activity/execution/${made.executionId}`,
    '/inbox',
    ...made.sessionIds.map((id) => `/chat/${id}`),
    '/chat?new=1',
  ],
  ...['/agents', '/agents/new', `/agents/${made.agentId}`, '/tasks', '/tasks/new', `/tasks/${made.taskId}`],
  ...[`/executions/${made.executionId}`, '/jobs', `/jobs/${made.jobId}`, '/datasets', '/datasets/new'],
  ...['', '/schema', '/imports', '/embeddings'].map((part) => `/datasets/${made.datasetId}${part}`),
  ...['/events', `/events/${made.envelopeId}`, '/applications', `/applications/${made.applicationId}`],
  ...['/usage', '/keys', '/secrets', '/members', '/settings', '/invitation', `/causes/emission/${made.envelopeId}`],
  '/agents/00000000-0000-7000-8000-000000000000',
  ...['/guides/console', '/guides/tasks', '/no-such-page'],
];

test('axe finds nothing on any page, and a small phone loses nothing', async () => {
  for (const place of places()) {
    await open(place);
    await look(page, place);
    // The chats of the side are behind a button there.
    await lookAtPhone(page, place, place.startsWith('/chat') ? 'main [role=log]' : 'main');
    expect({ place, images: await page.locator('img').count() }).toEqual({ place, images: 0 });
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  }
  expect(found.splice(0)).toEqual([]);
}, 300_000);

/** Buttons of the page, and what they open: a dialog, or a menu with an item that opens one. */
const dialogs = (): [path: string, opener: RegExp | string, dialog: RegExp | string, item?: string][] => [
  ['/activity', 'Help', 'Help'],
  [`/chat/${made.sessionIds[0]}`, /^More of/, 'Rename chat', 'Rename'],
  [`/chat/${made.sessionIds[0]}`, /^More of/, 'Delete chat', 'Delete'],
  ['/agents', 'Account and theme', 'Change password', 'Change password'],
  ['/agents', /^Space:/, ''],
  [`/agents/${made.agentId}`, 'Versions', 'Versions'],
  [`/agents/${made.agentId}`, 'Delete', 'Delete agent'],
  [`/tasks/${made.taskId}`, 'Run', /^Run/],
  [`/executions/${made.executionId}`, 'Rerun', /^Rerun/],
  ['/jobs', 'Submit job', 'Submit job'],
  [`/datasets/${made.datasetId}`, 'Insert row', 'Insert row'],
  [`/datasets/${made.datasetId}`, 'Import', 'Import'],
  ['/events', 'Emit event', 'Emit event'],
  ['/applications', 'Install application', 'Install application'],
  [`/applications/${made.applicationId}`, 'New subscription', 'New subscription'],
  [`/applications/${made.applicationId}`, 'Uninstall', 'Uninstall application'],
  ['/usage', 'Add credits', 'Add credits'],
  ['/keys', 'New key', 'New key'],
  ['/keys', 'Edit', /^Edit/],
  ['/keys', 'Rotate', 'Rotate key'],
  ['/keys', 'Usage', /^Usage of/],
  ['/keys', 'Edit', /^Edit/],
  ['/keys', 'Revoke', 'Revoke key'],
  ['/secrets', 'New secret', 'New secret'],
  ['/secrets', 'Delete', 'Delete secret'],
  ['/members', 'Add member', 'Add member'],
  ['/members', /^Change role of/, 'Change role'],
];

test('axe finds nothing in any dialog or menu, a phone has room for each, and each gives the focus back', async () => {
  let shown = '';
  for (const [path, opener, name, item] of dialogs()) {
    if (path !== shown) await open(path);
    shown = path;
    const place = `${path}: ${item ?? String(opener)}`;
    const button = page.getByRole('button', { name: opener, exact: true }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    if (name === '' || item !== undefined) {
      await page.getByRole('menu').waitFor();
      // Behind a menu the page is hidden, with its landmarks.
      await look(page, place, '[role=menu]');
    }
    if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
    const opened = name === '' ? page.getByRole('menu') : page.getByRole('dialog', { name });
    await opened.waitFor();
    await until(async () => (await opened.getByRole('status', { name: /^Loading/ }).count()) === 0 || undefined);
    if (name !== '') {
      await look(page, place);
      await lookAtPhone(page, place, '[role=dialog]');
    }
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    const hasFocus = await until(async () => (await isFocused(button)) || undefined, { timeoutMs: 10_000 }).catch(
      () => false,
    );
    if (!hasFocus) found.push(`${place}: the focus is not given back`);
  }
  // What a phone has in place of the sides.
  await open(`/chat/${made.sessionIds[0]}`);
  await page.setViewportSize(PHONE);
  for (const name of ['Menu', 'Chats']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog', { name }).waitFor();
    await look(page, `${name} of a phone`);
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize(WIDE);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('error');
  await page.getByRole('option', { name: /^Guide:/ }).waitFor();
  // The records come later, above the guides: Enter takes the first of all.
  await page
    .getByRole('option', { name: /onerror/ })
    .first()
    .waitFor();
  await page.getByRole('option', { selected: true, name: /onerror/ }).waitFor();
  expect(await page.getByRole('option').first().getAttribute('aria-selected')).toBe('true');
  await look(page, 'the palette');
  await lookAtPhone(page, 'the palette', '[role=dialog]');
  await page.keyboard.press('Escape');
  expect(found.splice(0)).toEqual([]);
}, 240_000);

test('what is written into a dialog is not closed away by a slip', async () => {
  await open('/jobs');
  await page.getByRole('button', { name: 'Submit job' }).click();
  const dialog = page.getByRole('dialog', { name: 'Submit job' });
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Work of an hour');
  await page.keyboard.press('Escape');
  await dialog.getByText('What you wrote here is not saved.').waitFor();
  await page.mouse.click(5, 5);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Work of an hour');
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close without saving' }).click();
  await dialog.waitFor({ state: 'detached' });
});

const isFocused = (of: Locator): Promise<boolean> =>
  of.first().evaluate((element) => element.contains(element.ownerDocument.activeElement));

async function tabTo(of: Locator): Promise<void> {
  await of.first().waitFor();
  for (let presses = 0; presses < 150; presses += 1) {
    if (await isFocused(of)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(of)} is not reached by Tab`);
}

test('five main deeds are done by keyboard alone', async () => {
  const { keyboard } = page;
  const control = (role: 'button' | 'textbox' | 'checkbox' | 'radio', name: string | RegExp): Locator =>
    page.getByRole(role, { name, exact: true });
  const press = async (name: string): Promise<void> => {
    await tabTo(control('button', name));
    await keyboard.press('Enter');
  };
  const write = async (name: string, text: string): Promise<void> => {
    await tabTo(control('textbox', name));
    await keyboard.type(text);
  };
  const find = async (name: string): Promise<void> => {
    await keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await keyboard.type(name);
    await page.getByRole('option', { name, exact: true }).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  };
  // An agent is made.
  await find('Agents');
  await press('New agent');
  await write('Name', 'By keys');
  await tabTo(page.getByRole('combobox', { name: 'Model', exact: true }));
  await keyboard.type('sim-chat');
  await write('Prompt', 'You are brief.');
  await press('Save');
  await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();
  // A message is sent.
  await go(`/chat?new=1&agent=${made.agentId}`);
  const option = { id: 'a', label: 'Alpha' };
  const question = { kind: 'single_choice', prompt: 'Which?', options: [option, { id: 'b', label: 'Beta' }] };
  await write('Message', `@@tool ask_user ${JSON.stringify(question)}`);
  await keyboard.press('Shift+Enter');
  await keyboard.type('@@reply Chosen: {{tool}}');
  await keyboard.press('Enter');
  // Its question is answered.
  await tabTo(control('radio', 'Alpha'));
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Agent' }).last();
  await until(async () => /Chosen:[^]*Beta/u.test(await answer.innerText()) || undefined);
  // A task is run.
  await go(`/tasks/${made.taskId}`);
  await press('Run');
  await page.getByRole('dialog', { name: /^Run/ }).waitFor();
  await press('Run');
  await page.getByRole('button', { name: 'Rerun' }).waitFor();
  // A key is made, stored and gone.
  await find('Keys');
  await press('New key');
  await write('Name', 'By keys');
  await press('Create key');
  // Nothing takes it away unseen.
  await control('checkbox', 'I have stored it').waitFor();
  await page.evaluate('history.back()');
  await keyboard.press('Escape');
  await tabTo(control('checkbox', 'I have stored it'));
  await keyboard.press('Space');
  await press('Done');
  await page.getByRole('row', { name: /^By keys/ }).waitFor();
}, 240_000);

test('an error is shown as what it is, with what to quote and the call to repeat', async () => {
  const headlines = {
    403: 'You do not have access',
    404: 'Not found',
    409: 'Conflict with the current state',
    429: 'Too many requests',
    503: 'Not available right now',
  };
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [status, headline] of Object.entries(headlines)) {
    const json = { success: false, code: `CODE_${status}`, message: `Why it is ${status}.` };
    await page.route('**/api/datasets?*', (route) =>
      route.fulfill({
        status: Number(status),
        json,
        headers: { 'x-request-id': `request-${status}`, 'retry-after': '0' },
      }),
    );
    await open(`/datasets?q=${status}`);
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByRole('heading', { name: headline, exact: true }).waitFor();
    for (const text of [json.message, `${status} ${json.code}`, `request-${status}`])
      await alert.getByText(text).waitFor();
    if (status === '403') await look(page, 'an error');
    await alert.getByRole('button', { name: 'Copy as curl' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -X GET '${platform.url}/api/datasets?`);
    expect(copied).toContain('Bearer $SWITCHYARD_TOKEN');
    await page.unroute('**/api/datasets?*');
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor({ state: 'detached' });
  }
  expect(found.splice(0)).toEqual([]);
}, 180_000);

const DEEDS =
  /^(New (agent|task|dataset|key|secret|subscription)|Submit job|Add (member|step|field|credits)|Save|Run|Rerun|Retry|Cancel|Delete|Approve|Deny|Answer|Revoke|Rotate|Remove|Restore|Import|Insert row|Emit event|Install|Upgrade|Uninstall|Replay|Pause|Change)\b/u;

test('a VIEWER sees no button that would be refused', async () => {
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error('The browser is gone.');
  const refused: string[] = [];
  const viewer = await openPage(context, platform.url, problems);
  viewer.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
  });
  await viewer.goto(`${platform.url}/console/activity`);
  await signIn(viewer, await space.member('VIEWER'));
  await viewer.getByRole('navigation', { name: 'Main' }).waitFor();
  const hidden = ['Keys', 'Secrets', 'Members'];
  for (const name of hidden) expect(await viewer.getByRole('link', { name, exact: true }).count()).toBe(0);
  const offered: string[] = [];
  // A chat is its owner's alone; what makes something new has no link.
  for (const place of places().filter((one) => !/\/(chat|keys|secrets|members)|\/new$/u.test(one))) {
    await open(place, viewer);
    for (const name of await viewer.getByRole('main').getByRole('button').allInnerTexts())
      if (DEEDS.test(name)) offered.push(`${place}: ${name}`);
  }
  await open(`/chat?new=1&agent=${made.agentId}`, viewer);
  await viewer.getByRole('textbox', { name: 'Message', exact: true }).fill('hello');
  await viewer.getByRole('button', { name: 'Send', exact: true }).click();
  await viewer.getByText('You said: hello').waitFor();
  await viewer.getByRole('button', { name: 'Copy message' }).first().waitFor();
  expect(await viewer.getByRole('button', { name: /^(Edit and fork|More of)/ }).count()).toBe(0);
  expect(offered).toEqual([]);
  expect(refused).toEqual([]);
  await context.close();
}, 240_000);

test('nothing of it broke, nothing was refused by the policy, and it asked nobody but us', async () => {
  expect(await page.title()).not.toBe('1');
  expect(problems).toEqual([]);
});
