import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { type HostileSpace, fillSpace } from './support/hostile-space';
import { isFocused, tabTo } from './support/keyboard';
import { WIDE, go, look, lookAtPhone, open } from './support/look';
import { PHONE } from './support/phone';

// Dialogs, menus and errors, in a Space full of texts that look like markup.
const platform = usePlatform();
const problems: string[] = [];
const found: string[] = [];
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
  await signIn(page, space.owner);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}, 240_000);

afterAll(() => browser?.close());

const note = async (looks: typeof look, path: string, within?: string): Promise<void> => {
  found.push(...(await looks(page, path, within)));
};

/** Where a button is, the button, and what it opens: a dialog, or a menu with an item that opens one. */
type Opener = [path: (of: HostileSpace) => string, opener: RegExp | string, dialog: RegExp | string, item?: string];

const dialogs: Opener[] = [
  [() => '/activity', 'Help', 'Help'],
  [(of) => `/chat/${of.sessionIds[0]}`, /^More of/, 'Rename chat', 'Rename'],
  [(of) => `/chat/${of.sessionIds[0]}`, /^More of/, 'Delete chat', 'Delete'],
  [() => '/agents', 'Account and theme', 'Change password', 'Change password'],
  [() => '/agents', /^Space:/, ''],
  [(of) => `/agents/${of.agentId}`, 'Versions', 'Versions'],
  [(of) => `/agents/${of.agentId}`, 'Delete', 'Delete agent'],
  [(of) => `/tasks/${of.taskId}`, 'Run', /^Run/],
  [(of) => `/executions/${of.executionId}`, 'Rerun', /^Rerun/],
  [() => '/jobs', 'Submit job', 'Submit job'],
  [(of) => `/datasets/${of.datasetId}`, 'Insert row', 'Insert row'],
  [(of) => `/datasets/${of.datasetId}`, 'Import', 'Import'],
  [() => '/events', 'Emit event', 'Emit event'],
  [() => '/applications', 'Install application', 'Install application'],
  [(of) => `/applications/${of.applicationId}`, 'Create subscription', 'Create subscription'],
  [(of) => `/applications/${of.applicationId}`, 'Uninstall', 'Uninstall application'],
  [() => '/keys', 'Create key', 'Create key'],
  [() => '/keys', /^Actions of/, /^Edit/, 'Edit'],
  [() => '/keys', /^Actions of/, 'Rotate key', 'Rotate'],
  [() => '/keys', /^Actions of/, /^Usage of/, 'Usage'],
  [() => '/keys', /^Actions of/, /^Edit/, 'Edit'],
  [() => '/keys', /^Actions of/, 'Revoke key', 'Revoke'],
  [() => '/secrets', 'Create secret', 'Create secret'],
  [() => '/secrets', 'Delete', 'Delete secret'],
  [() => '/members', 'Add member', 'Add member'],
  [() => '/members', /^Change role of/, 'Change role'],
];

/** A window of a small laptop, with its bars. */
const LOW = { width: 1280, height: 620 };

/** Wherever a dialog is scrolled to. */
async function isSendInView(opened: Locator): Promise<boolean> {
  const send = opened.locator('form button[type=submit]').last();
  if ((await send.count()) === 0) return true;
  await page.setViewportSize(LOW);
  const isInView = await send.evaluate((button) => {
    const { top, bottom } = button.getBoundingClientRect();
    const frame = button.closest('[role=dialog]')?.getBoundingClientRect();
    // Nor is anything of the form below it.
    return frame !== undefined && top >= frame.top && bottom <= frame.bottom && frame.bottom - bottom < 24;
  });
  await page.setViewportSize(WIDE);
  return isInView;
}

const wordsOf = (name: RegExp | string): string => (name instanceof RegExp ? name.source.replace(/^\^|:$/g, '') : name);
const named = dialogs.map((opener, at) => ({ opener, title: `${at + 1}: ${opener[3] ?? wordsOf(opener[1])}` }));
/** The page that is open, with nothing over it. */
let shown = '';

describe('axe finds nothing in a dialog or menu, a phone has room for it, and it gives the focus back', () => {
  test.each(named)('$title', async ({ opener: [pathOf, opener, name, item] }) => {
    const path = pathOf(made);
    // A test that failed has left its page as it was.
    const isOpen = path === shown;
    shown = '';
    found.length = 0;
    if (!isOpen) await open(page, path);
    const field = `${path}: ${item ?? String(opener)}`;
    const button = page.getByRole('button', { name: opener, exact: true }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    if (name === '' || item !== undefined) {
      await page.getByRole('menu').waitFor();
      // Behind a menu the page is hidden, with its landmarks.
      await note(look, field, '[role=menu]');
    }
    if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
    const opened = name === '' ? page.getByRole('menu') : page.getByRole('dialog', { name });
    await opened.waitFor();
    await until(async () => (await opened.getByRole('status', { name: /^Loading/ }).count()) === 0 || undefined);
    if (name !== '') {
      await note(look, field);
      await note(lookAtPhone, field, '[role=dialog]');
      if (!(await isSendInView(opened))) found.push(`${field}: what sends it is out of view in a low window`);
      const title = opened.getByRole('heading').first();
      if (await title.evaluate((one) => one.scrollWidth > one.clientWidth)) found.push(`${field}: its title is cut`);
    }
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    const hasFocus = await until(async () => (await isFocused(button)) || undefined, { timeoutMs: 10_000 }).catch(
      () => false,
    );
    if (!hasFocus) found.push(`${field}: the focus is not given back`);
    expect(found.splice(0)).toEqual([]);
    shown = path;
  });
});

test('what a phone has in place of the sides, and the palette, have room and show no fault to axe', async () => {
  await open(page, `/chat/${made.sessionIds[0]}`);
  await page.setViewportSize(PHONE);
  for (const name of ['Menu', 'Chats']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog', { name }).waitFor();
    await note(look, `${name} of a phone`);
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize(WIDE);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.type('error');
  await page
    .getByRole('option', { name: /^Guide:/ })
    .first()
    .waitFor();
  // The records come later, above the guides: Enter takes the first of all.
  await page
    .getByRole('option', { name: /onerror/ })
    .first()
    .waitFor();
  await page.getByRole('option', { selected: true, name: /onerror/ }).waitFor();
  expect(await page.getByRole('option').first().getAttribute('aria-selected')).toBe('true');
  await note(look, 'the palette');
  await note(lookAtPhone, 'the palette', '[role=dialog]');
  await page.keyboard.press('Escape');
  expect(found.splice(0)).toEqual([]);
});

test('what is written into a dialog is not closed away by a slip', async () => {
  await open(page, '/jobs');
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

test('the message of an error does not hold the keyboard, and gives it back when it is closed', async () => {
  await open(page, `/chat/${made.sessionIds[0]}`);
  const json = { success: false, code: 'CONFLICT', message: 'Not at the moment.' };
  await page.route('**/compact', (route) => route.fulfill({ status: 409, json }));
  try {
    const compact = page.getByRole('button', { name: 'Compact', exact: true });
    await compact.click();
    const closer = page.getByRole('button', { name: 'Close the message' });
    await tabTo(closer);
    await tabTo(compact);
    await page.evaluate(`document.addEventListener('focusin', ({ target }) => {
      if (!target.closest('[data-sonner-toaster]')) window.before = target;
    }, true)`);
    await tabTo(closer);
    const isBack = (): Promise<boolean> => page.evaluate('document.activeElement === window.before');
    // By Escape, and by what closes it.
    await page.keyboard.press('Escape');
    expect(await isBack()).toBe(true);
    await tabTo(closer);
    await page.keyboard.press('Enter');
    await closer.waitFor({ state: 'detached' });
    await until(async () => (await isBack()) || undefined);
  } finally {
    await page.unroute('**/compact');
  }
});

/** The focused element if it is covered by another one, else null. */
const covered = (): Promise<string | null> =>
  page.evaluate<string | null>(
    `(() => {
      const at = document.activeElement;
      const { x, y, width, height } = at.getBoundingClientRect();
      const seen = document.elementFromPoint(x + width / 2, y + height / 2);
      return seen === null || at.contains(seen) || seen.contains(at) ? null : at.outerHTML.slice(0, 120);
    })()`,
  );

test('what a record covers on a phone does not get the focus, and is there again without it', async () => {
  await page.setViewportSize(PHONE);
  await open(page, `/activity/execution/${made.executionId}`);
  const record = page.getByRole('complementary', { name: 'Record' });
  await record.getByRole('link', { name: 'Open it' }).waitFor();
  for (const key of ['Shift+Tab', 'Tab'])
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press(key);
      const hidden = await covered();
      if (hidden !== null) found.push(`${key}: ${hidden}`);
    }
  expect(found.splice(0)).toEqual([]);
  await record.getByRole('button', { name: 'Close record' }).click();
  // Its own row, or that of the runs of its task.
  await until(async () => (await page.locator('[data-record^="execution:"]:focus').count()) === 1);
  await page.setViewportSize(WIDE);
});

test('a dialog that has to be read first begins in its first field all the same', async () => {
  // With nothing read before.
  await page.goto(`${platform.url}/console/applications/${made.applicationId}`);
  await page.getByRole('button', { name: 'Create subscription', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Create subscription' });
  const first = dialog.getByRole('combobox', { name: 'Event' });
  await first.waitFor();
  await until(async () => (await isFocused(first)) || undefined);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the search that opens in the moment in which a dialog closes has the focus', async () => {
  await open(page, '/keys');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByRole('dialog', { name: 'Create key' }).waitFor();
  await page.evaluate(`(async () => {
    document.querySelector('[role=dialog] [aria-label=Close]').click();
    await Promise.resolve();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
  })()`);
  const search = page.getByRole('dialog', { name: 'Search' });
  await search.waitFor();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(await isFocused(search.getByRole('combobox'))).toBe(true);
  await page.keyboard.press('Escape');
});

test('an address that no record can have says that nothing is there', async () => {
  for (const path of ['/agents/x', '/chat/x', '/datasets/x', '/causes/execution/x', '/events/x']) {
    await go(page, path);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await open(page, '/secrets');
  }
});

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
    await open(page, `/datasets?q=${status}`);
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByRole('heading', { name: headline, exact: true }).waitFor();
    for (const text of [json.message, `${status} ${json.code}`, `request-${status}`])
      await alert.getByText(text).waitFor();
    if (status === '403') await note(look, 'an error');
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

test('the page had no error, no violation of its policy, and no request to another origin', async () => {
  expect(await page.title()).not.toBe('1');
  expect(problems).toEqual([]);
});
