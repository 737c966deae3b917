import { readFile } from 'node:fs/promises';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const NAME = 'Articles <img src=x onerror=alert(1)>';
let space: TestSpace;
let browser: Browser;
let page: Page;
let datasetId: string;
const problems: string[] = [];

beforeAll(async () => {
  space = await platform.newSpace();
  browser = await openBrowser();
  page = await openPage(await browser.newContext(), platform.url, problems);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string, on = page): Promise<void> =>
  on.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const grid = () => page.getByRole('table', { name: NAME });
const rowOf = (text: string) => grid().getByRole('row').filter({ hasText: text });
const openAs = async (on: Page, who: TestSpace['owner'], path: string): Promise<void> => {
  await on.goto(`${platform.url}/console${path}`);
  await signIn(on, who);
};
const stored = async (slug: string): Promise<Record<string, unknown> | undefined> => {
  const { body } = await space.owner.post(`/datasets/${datasetId}/data/query`, { filter: { slug } });
  return (body.data as Record<string, unknown>[])[0];
};

test('a dataset is made of fields, and a refused one says why beside it', async () => {
  await openAs(page, space.owner, '/datasets');
  await heading('Datasets');
  await button('Create dataset').click();
  await heading('Create dataset');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
  const fields = [
    { name: 'not a name', type: 'string', flags: ['Required', 'Unique'] },
    { name: 'title', type: 'string', flags: ['Full text'] },
    { name: 'body', type: 'text', flags: ['Full text', 'Vector'] },
    { name: 'price', type: 'decimal', flags: ['Indexed'] },
    { name: 'live', type: 'boolean', flags: [] },
  ];
  for (const [index, { name, type, flags }] of fields.entries()) {
    await button('Add field').click();
    const field = page.getByRole('group', { name: `Field ${index + 1}`, exact: true });
    await field.getByRole('textbox', { name: 'Field name' }).fill(name);
    await field.getByRole('combobox', { name: 'Type' }).selectOption(type);
    for (const flag of flags) await field.getByRole('checkbox', { name: flag, exact: true }).check();
  }
  await button('Create dataset').click();
  const first = page.getByRole('textbox', { name: 'Field name' }).first();
  await until(async () => (await first.getAttribute('aria-invalid')) === 'true' || undefined);
  await first.fill('slug');
  await button('Create dataset').click();
  await heading(NAME);
  datasetId = /datasets\/([0-9a-f-]{36})/u.exec(page.url())?.[1] ?? '';
  expect(datasetId).not.toBe('');
});

test('a file with a bad line is refused by its number, a good one is imported', async () => {
  await button('Import').click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  const give = (text: string): Promise<void> =>
    dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'articles.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await give('slug,title,price\nyards,Switching yards,12.50\nclocks,Clocks,dear\n');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  const refused = dialog.getByRole('table', { name: 'Refused lines' }).getByRole('row', { name: /price/ });
  expect(await refused.textContent()).toMatch(/^3price.*clocks,Clocks,dear$/u);
  await give(
    'slug,title,body,price,live\n' +
      'yards,<b>Switching</b> yards,Where trains are sorted.,12.50,true\n' +
      'clocks,Station clocks,They are all right.,30.00,false\n' +
      'ferries,Train ferries,Ships that carry trains.,8.00,true\n',
  );
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('3 records are imported.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await rowOf('ferries').waitFor();
  await rowOf('<b>Switching</b> yards').waitFor();
});

test('a filter narrows the rows, stands in the URL, and is there again when that is opened', async () => {
  // The cell that one was at goes; another one is reached by Tab then.
  await grid().locator('[data-cell="2-0"]').focus();
  await button('Add filter').click();
  await page.getByRole('combobox', { name: 'Field' }).selectOption('price');
  await page.getByRole('combobox', { name: 'Operator' }).selectOption('gte');
  await page.getByRole('textbox', { name: 'Value' }).fill('dear');
  await page.getByText('must be a decimal').first().waitFor();
  await page.getByRole('textbox', { name: 'Value' }).fill('10');
  await rowOf('clocks').waitFor();
  await rowOf('ferries').waitFor({ state: 'detached' });
  expect(await grid().locator('[data-cell][tabindex="0"]').count()).toBe(1);
  await until(() => {
    const text = new URL(page.url()).searchParams.get('filter');
    return Promise.resolve(text === '{"price":{"gte":"10"}}' || undefined);
  });
  await page.reload();
  await rowOf('clocks').waitFor();
  expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('10');
  expect(await rowOf('ferries').count()).toBe(0);
  await button('Clear filter').click();
  await rowOf('ferries').waitFor();
});

test('records are found by their words and by their meaning, with scores', async () => {
  await page.getByRole('searchbox', { name: 'Search records' }).fill('switching');
  await button('Search').click();
  await grid().getByRole('columnheader', { name: 'Score' }).waitFor();
  // Only the word is highlighted; markup in the text stays text.
  expect(await rowOf('yards').locator('mark').first().textContent()).toMatch(/switching/iu);
  await rowOf('clocks').waitFor({ state: 'detached' });
  for (const way of ['Vector', 'Hybrid']) {
    await page.getByRole('combobox', { name: 'Search by' }).selectOption(way);
    await page.getByRole('searchbox', { name: 'Search records' }).fill('Where trains are sorted.');
    await button('Search').click();
    await until(async () => {
      const text = await grid().getByRole('row').nth(1).textContent();
      return /^\d\.\d{4}yards/u.test(text ?? '') || undefined;
    });
  }
  await page.getByRole('searchbox', { name: 'Search records' }).fill('');
  await grid().getByRole('columnheader', { name: 'Score' }).waitFor({ state: 'detached' });
});

test('a cell is edited by a double click and by Enter; what is refused stays with its reason', async () => {
  await rowOf('clocks').getByRole('cell', { name: '30.00' }).dblclick();
  const price = grid().getByRole('textbox', { name: 'price' });
  await price.fill('a lot');
  await price.press('Enter');
  await grid().getByRole('alert').getByText('must be a decimal number, as 12.50').waitFor();
  await price.fill('31.50');
  await price.press('Enter');
  await until(async () => (await stored('clocks'))?.['price'] === '31.50' || undefined);
  const cell = rowOf('clocks').getByRole('cell', { name: '31.50' });
  await cell.waitFor();
  // To the title, by the keyboard alone. From the cell again if the rows were drawn anew meanwhile.
  await until(async () => {
    await cell.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    return (await page.evaluate<string>('document.activeElement.textContent')) === 'Station clocks' || undefined;
  });
  await page.keyboard.press('Enter');
  await grid().getByRole('textbox', { name: 'title' }).fill('not kept');
  await page.keyboard.press('Escape');
  await rowOf('Station clocks').waitFor();
  expect((await stored('clocks'))?.['title']).toBe('Station clocks');
});

test('a row is inserted, one is deleted, and the rest is exported', async () => {
  await button('Insert row').click();
  const dialog = page.getByRole('dialog', { name: 'Insert row' });
  await dialog.getByRole('textbox', { name: 'title' }).fill('Signal boxes');
  await dialog.getByRole('button', { name: 'Insert row' }).click();
  await dialog.getByText('is required').first().waitFor();
  await dialog.getByRole('textbox', { name: 'slug' }).fill('signals');
  await dialog.getByRole('combobox', { name: 'live' }).selectOption('true');
  await dialog.getByRole('button', { name: 'Insert row' }).click();
  await rowOf('Signal boxes').waitFor();
  expect(await stored('signals')).toMatchObject({ title: 'Signal boxes', live: true });
  await rowOf('ferries').getByRole('checkbox').check();
  await button('Delete rows').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete row', exact: true }).click();
  await rowOf('ferries').waitFor({ state: 'detached' });
  const [download] = await Promise.all([page.waitForEvent('download'), button('Export').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  const slugs = lines.map((line) => (JSON.parse(line) as { slug: string }).slug);
  expect(slugs.sort()).toEqual(['clocks', 'signals', 'yards']);
});

test('a field is added to the schema, and those that are there stay', async () => {
  await page.getByRole('link', { name: 'Schema', exact: true }).click();
  await button('Add field').click();
  const field = page.getByRole('group', { name: 'Field 6', exact: true });
  await field.getByRole('textbox', { name: 'Field name' }).fill('tags');
  await field.getByRole('combobox', { name: 'Type' }).selectOption('string[]');
  expect(await page.getByRole('textbox', { name: 'Field name' }).first().isDisabled()).toBe(true);
  await button('Save').click();
  await until(async () => {
    const { body } = await space.owner.get(`/datasets/${datasetId}`);
    return (body.data as { schema: { fields: unknown[] } }).schema.fields.length === 6 || undefined;
  });
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  await grid().getByRole('columnheader', { name: /tags/ }).waitFor();
});

test('what is found is exported alone, past what is shown, and a ranking says where it ends', async () => {
  const fields = [
    { name: 'title', type: 'string', fullText: true, vector: true },
    { name: 'place', type: 'integer' },
  ];
  const made = await space.owner.post('/datasets', { name: 'Lamps', schema: { fields } });
  const { id } = made.body.data as { id: string };
  const records = Array.from({ length: 104 }, (_, index) => ({
    title: index < 103 ? `Lamp ${index}` : 'Bench',
    place: index,
  }));
  await space.owner.post(`/datasets/${id}/data/insert`, { records });
  const exportFound = async (): Promise<{ title: string; place: number }[]> => {
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export found').click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as { title: string; place: number });
  };
  const found = page.getByRole('status', { name: 'Found' });
  const filter = encodeURIComponent(JSON.stringify({ place: { gte: 100 } }));
  await page.goto(`${platform.url}/console/datasets/${id}?filter=${filter}&sort=place`);
  await found.getByText('4 of 104 records').waitFor();
  expect((await exportFound()).map(({ place: index }) => index)).toEqual([100, 101, 102, 103]);
  await page.goto(`${platform.url}/console/datasets/${id}?q=lamp`);
  await found.getByText('More than 100 found').waitFor();
  const lamps = await exportFound();
  expect(new Set(lamps.map(({ place: index }) => index)).size).toBe(103);
  expect(lamps.every(({ title }) => title.startsWith('Lamp'))).toBe(true);
  await page.goto(`${platform.url}/console/datasets/${id}?q=lamp&by=meaning`);
  await found.getByText('The best 100 are shown').waitFor();
  await page.goto(`${platform.url}/console/datasets/${datasetId}`);
  await heading(NAME);
});

test('texts that cannot be embedded are told with the reason, and tried again on demand', async () => {
  const fields = [{ name: 'title', type: 'string', vector: true }];
  const made = await space.owner.post('/datasets', { name: 'Manuals', schema: { fields } });
  const { id } = made.body.data as { id: string };
  const keepBack = (minimumBalance: number | null) =>
    space.owner.patch(`/spaces/${space.id}`, { settings: { minimumBalance } });
  const open = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Embeddings', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Embeddings', exact: true }).waitFor();
  };
  await page.goto(`${platform.url}/console/datasets/${id}`);
  await open();
  await page.getByRole('heading', { name: 'All texts are embedded' }).waitFor();
  await keepBack(10_000_000_000);
  await space.owner.post(`/datasets/${id}/data/insert`, { records: [{ title: 'Points' }, { title: 'Signals' }] });
  const failed = page.getByRole('table', { name: 'Failed texts' });
  await failed.getByText('BELOW_MINIMUM_BALANCE').nth(1).waitFor();
  // It gives up, so that only the button can have done it.
  await platform.database.query(`update dataset.record_vectors set state = 'FAILED' where dataset_id = $1`, [id]);
  await failed.getByText('On “Retry” only').nth(1).waitFor();
  await keepBack(null);
  await failed
    .getByRole('link', { name: /^Record / })
    .first()
    .click();
  await page.getByRole('table', { name: 'Manuals' }).getByRole('cell', { name: 'Points' }).waitFor();
  expect(await page.getByRole('table', { name: 'Manuals' }).getByText('Signals').count()).toBe(0);
  await open();
  await button('Retry').click();
  await page.getByRole('heading', { name: 'All texts are embedded' }).waitFor();
});

test('a viewer reads and searches, and sees no button that would be refused', async () => {
  const viewer = await space.member('VIEWER');
  const context = await browser.newContext();
  const other = await openPage(context, platform.url, problems);
  await openAs(other, viewer, `/datasets/${datasetId}`);
  await heading(NAME, other);
  const cell = other.getByRole('table', { name: NAME }).getByRole('cell', { name: 'Station clocks' });
  await cell.dblclick();
  expect(await other.getByRole('table', { name: NAME }).getByRole('textbox').count()).toBe(0);
  for (const name of ['Insert row', 'Import', 'Delete', 'Delete row 1'])
    expect(await other.getByRole('button', { name, exact: true }).count()).toBe(0);
  await context.close();
});

test('nothing of it broke, and nothing was refused by the policy', async () => {
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
});
