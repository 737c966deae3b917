import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

// A list without end, with rows that come above the one that is read.
const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;
let taskId: string;

const run = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - at) }, () => space.owner.post(`/tasks/${taskId}/execute`)),
    );
};

beforeAll(async () => {
  space = await platform.newSpace();
  const steps = [{ id: 'note', type: 'transform', with: { said: 'yes' } }];
  const { body } = await space.owner.post('/tasks', { name: 'Often run', steps });
  taskId = body.data.id as string;
  await run(160);
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ reducedMotion: 'reduce' }), platform.url, problems);
  await page.goto(`${platform.url}/console/activity?runs=each`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const box = (): Locator => page.getByRole('group', { name: 'Activity, scrollable' });
const topOf = async (row: Locator): Promise<number> => (await row.boundingBox())?.y ?? Number.NaN;

/** The row in the middle of the box, known by its record. */
async function rowInView(): Promise<Locator> {
  const area = await box().boundingBox();
  for (const link of await box().locator('[data-record]').all()) {
    const at = await link.boundingBox();
    if (area && at && at.y > area.y + area.height / 2)
      return page.locator(`[data-record="${await link.getAttribute('data-record')}"]`);
  }
  throw new Error('No row is in view.');
}

/** As far as its second page, and at rest. */
async function scrollDown(): Promise<Locator> {
  await box().hover();
  await until(async () => {
    await page.mouse.wheel(0, 500);
    return (await box().evaluate((one) => one.scrollTop)) > 3000 || undefined;
  });
  await page.waitForTimeout(500);
  return rowInView();
}

/** Rows that come meanwhile are on the list: its first page says so. */
const read = async (count: number): Promise<void> => {
  const isNew = page.waitForResponse((answer) => /\/api\/activity\?(?!.*cursor)/u.test(answer.url()) && answer.ok());
  await run(count);
  await isNew;
};

async function expectAt(row: Locator, top: number): Promise<void> {
  const stands = async (): Promise<boolean> => (await row.count()) === 1 && Math.abs((await topOf(row)) - top) < 2;
  await until(async () => (await stands()) || undefined, { timeoutMs: 10_000 }).catch(() => undefined);
  // It stays there.
  await page.waitForTimeout(1500);
  expect({ isThere: await row.count(), off: Math.round((await topOf(row)) - top) }).toEqual({ isThere: 1, off: 0 });
}

test('rows that come do not move what is read', async () => {
  const row = await scrollDown();
  const top = await topOf(row);
  await read(7);
  await expectAt(row, top);
});

test('back finds the row that was left, also if rows were added above it', async () => {
  const row = await rowInView();
  const top = await topOf(row);
  const record = (await row.getAttribute('data-record')) ?? '';
  await page
    .locator(`tr:has([data-record="${record}"])`)
    .getByRole('link', { name: /^Causes of/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Causes' }).waitFor();
  await run(9);
  await page.goBack();
  await expectAt(row, top);
  // By keys one goes on from there.
  const focused = await page.evaluate<string | null>("document.activeElement.getAttribute('href')");
  expect(focused).toContain(record.split(':')[1]);
});

test('a reload finds it too', async () => {
  const row = await rowInView();
  const top = await topOf(row);
  await page.reload();
  await row.waitFor();
  await expectAt(row, top);
});

test('another page begins at its top; back and a reload find the place of a page that is read anew', async () => {
  const main = page.getByRole('main');
  const scrollTop = (): Promise<number> => main.evaluate((one) => one.scrollTop as number);
  const isAt = (expected: number): Promise<true> =>
    until(async () => Math.abs((await scrollTop()) - expected) < 2 || undefined);
  const scroll = async (): Promise<void> => {
    const before = await scrollTop();
    await main.hover({ position: { x: 20, y: 100 } });
    await until(async () => {
      await page.mouse.wheel(0, 40);
      return (await scrollTop()) > before + 30 || undefined;
    });
  };
  /** All its parts, which are read one by one. */
  const settingsRead = async (): Promise<void> => {
    for (const name of ['Traces', 'Webhook secret']) await page.getByRole('region', { name, exact: true }).waitFor();
  };
  await goTo(page, 'Usage');
  await page.getByRole('region', { name: 'Balance', exact: true }).waitFor();
  // Lower than the page.
  await page.setViewportSize({ width: 1440, height: 320 });
  await goTo(page, 'Settings');
  await settingsRead();
  await scroll();
  // The router notes the place once the page stands: the last step comes after that.
  await page.waitForTimeout(500);
  await scroll();
  await page.waitForTimeout(500);
  const index = await scrollTop();
  await goTo(page, 'Usage');
  await page.getByRole('region', { name: 'Balance', exact: true }).waitFor();
  await isAt(0);
  await page.goBack();
  await isAt(index);
  await page.reload();
  await settingsRead();
  await isAt(index);
});

test('nothing of it broke', () => {
  expect(problems).toEqual([]);
});
