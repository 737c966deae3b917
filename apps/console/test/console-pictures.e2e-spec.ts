import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { compareOutline, takePicture } from './support/pictures';
import { type Scene, playScene } from './support/scene';

// The pictures of README and docs are taken of these screens:
// npm run docs:pictures
const platform = usePlatform();
let space: TestSpace;
let browser: Browser;
let page: Page;
let scene: Scene;
const problems: string[] = [];

beforeAll(async () => {
  space = await platform.newSpace('Harbour Lamps');
  scene = await playScene(space);
  browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/keys`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const open = async (path: string): Promise<void> => {
  await page.goto(`${platform.url}/console/${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
};
/** Also the cells of a table that are read each for itself. */
const loaded = (): Promise<unknown> =>
  until(async () => {
    const loading = page.getByRole('status', { name: /^Loading/ }).or(page.locator('main .shimmer'));
    return (await loading.count()) === 0 || undefined;
  });
const send = async (agentId: string, text: string): Promise<void> => {
  await open(`chat?agent=${agentId}`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await button('Send').click();
};
/** Run `npm run docs:pictures` when this fails, and look at the pictures. */
async function expectOutline(name: string): Promise<void> {
  const { now, then } = await compareOutline(page, name);
  expect(now).toEqual(then);
}
async function expectPicture(name: string): Promise<void> {
  await loaded();
  await takePicture(page, name);
  await expectOutline(name);
}

test('keys, one with limits and one revoked', async () => {
  await page.getByRole('row', { name: /Newsletter, limited/ }).waitFor();
  await expectPicture('keys');
});

test('a question that waits in the inbox', async () => {
  await send(scene.refundsId, 'Order 1042: the glass of the lamp is broken. Please see to it.');
  await page.getByRole('log', { name: 'Transcript' }).getByRole('button', { name: 'Answer' }).waitFor();
  await open('inbox');
  await page.getByRole('radio', { name: 'Send a new glass' }).check();
  await expectPicture('inbox');
});

test('everything that an event has caused', async () => {
  await open(`causes/emission/${scene.envelopeId}`);
  const tree = page.getByRole('tree', { name: 'Causes' });
  await tree.getByText('Thank the customer').first().waitFor();
  await expectPicture('causes');
});

test('articles found by their meaning', async () => {
  await open(`datasets/${scene.datasetId}`);
  await page.getByRole('row', { name: /track-parcel/ }).waitFor();
  await page.getByRole('combobox', { name: 'Search by' }).selectOption('Vector');
  await page.getByRole('searchbox', { name: 'Search records' }).fill('Send us a photo and choose a refund');
  await button('Search').click();
  await page.getByRole('columnheader', { name: 'Score' }).waitFor();
  await page.getByRole('row', { name: /\d\.\d{4}.*broken-glass/ }).waitFor();
  await expectPicture('datasets');
});

test('an answer that goes on after its connection broke', async () => {
  await send(scene.deskId, 'Where is order 1042?');
  await page.getByText('Customs').waitFor();
  await button('Break connection').click();
  await page.getByText('Connected again').waitFor();
  await page.getByText('the glass travels upright').waitFor();
  await takePicture(page, 'chat');
  await button('Send').waitFor();
  await expectOutline('chat');
});

test('what has happened, with its curve', async () => {
  await open('activity');
  await page.getByRole('table', { name: 'Activity' }).getByText('Thank the customer').first().waitFor();
  // The curve is drawn by code of its own; its table is for those who do not see it.
  await page.getByRole('columnheader', { name: 'Waiting for a person' }).waitFor({ state: 'attached' });
  await expectPicture('activity');
  expect(problems).toEqual([]);
});
