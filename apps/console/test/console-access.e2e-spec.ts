import { type TestSpace, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { type HostileSpace, fillSpace } from './support/hostile-space';
import { WIDE, look, lookAtPhone, open } from './support/look';
import { PHONE } from './support/phone';

// Every page of the console, full of texts that look like markup: what axe finds, light and dark, and what a small
// phone loses. The pages are walked in one tab, as a person walks them.
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
}, 240_000);

afterAll(() => browser?.close());

const note = async (looks: typeof look, path: string, within?: string): Promise<void> => {
  found.push(...(await looks(page, path, within)));
};

test('to sign in is as open to all as the rest', async () => {
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await note(look, 'sign-in');
  await note(lookAtPhone, 'sign-in');
  await page.getByRole('button', { name: 'I have an invitation' }).click();
  await note(look, 'an invitation');
  await note(lookAtPhone, 'an invitation');
  await page.getByRole('button', { name: 'Sign in with an account that I have' }).click();
  await signIn(page, space.owner);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(found).toEqual([]);
});

/** Every route, with a record where it has one, and one that there is not. */
const slots = (): string[] => [
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
  ...[
    '/usage',
    '/keys',
    '/endpoints',
    '/nats-accounts',
    '/secrets',
    '/members',
    '/security-events',
    '/settings',
    '/invitation',
    `/causes/emission/${made.envelopeId}`,
  ],
  '/agents/00000000-0000-7000-8000-000000000000',
  ...['/docs', '/docs/concepts/space', '/docs/guides/console', '/docs/guides/tasks', '/no-such-page'],
];

test('axe finds nothing on any page, and a small phone loses nothing', async () => {
  for (const path of slots()) {
    await open(page, path);
    await note(look, path);
    // The chats of the side are behind a button there.
    await note(lookAtPhone, path, path.startsWith('/chat') ? 'main [role=log]' : 'main');
    expect({ place: path, images: await page.locator('img').count() }).toEqual({ place: path, images: 0 });
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  }
  expect(found.splice(0)).toEqual([]);
}, 300_000);

test('what chooses all rows begins where the filters do on a phone', async () => {
  await open(page, '/activity');
  await page.setViewportSize(PHONE);
  const all = await page.getByRole('checkbox', { name: 'Select all shown' }).boundingBox();
  const filter = await page.getByRole('button', { name: 'Failed', exact: true }).boundingBox();
  expect(Math.abs((all?.x ?? 0) - (filter?.x ?? NaN))).toBeLessThan(2);
  await page.setViewportSize(WIDE);
});

const DEEDS =
  /^(Create (agent|task|dataset|key|secret|subscription|endpoint|NATS account)|Submit job|Add (member|step|field|credits)|Save|Run|Rerun|Retry|Cancel|Delete|Approve|Deny|Answer|Revoke|Rotate|Remove|Restore|Import|Insert row|Emit event|Install|Upgrade|Uninstall|Replay|Pause|Change)\b/u;

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
  const hidden = ['Keys', 'NATS accounts', 'Endpoints', 'Secrets', 'Members', 'Security events'];
  for (const name of hidden) expect(await viewer.getByRole('link', { name, exact: true }).count()).toBe(0);
  const offered: string[] = [];
  // A chat is its owner's alone; what makes something new has no link.
  for (const path of slots().filter(
    (one) => !/\/(chat|keys|nats-accounts|endpoints|secrets|members|security-events)|\/new$/u.test(one),
  )) {
    await open(viewer, path);
    for (const name of await viewer.getByRole('main').getByRole('button').allInnerTexts())
      if (DEEDS.test(name)) offered.push(`${path}: ${name}`);
  }
  await open(viewer, `/chat?new=1&agent=${made.agentId}`);
  await viewer.getByRole('textbox', { name: 'Message', exact: true }).fill('hello');
  await viewer.getByRole('button', { name: 'Send', exact: true }).click();
  await viewer.getByText('You said: hello').waitFor();
  await viewer.getByRole('button', { name: 'Copy message' }).first().waitFor();
  expect(await viewer.getByRole('button', { name: /^(Edit and fork|More of)/ }).count()).toBe(0);
  expect(offered).toEqual([]);
  expect(refused).toEqual([]);
  await context.close();
}, 240_000);

test('the page had no error, no violation of its policy, and no request to another origin', async () => {
  expect(await page.title()).not.toBe('1');
  expect(problems).toEqual([]);
});
