import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, signIn } from './support/browser';
import { look, lookAtPhone } from './support/look';

const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let colleague: Client;
let browser: Browser;
let page: Page;
let taskId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  colleague = await space.member('MEMBER');
  const task = await colleague.post('/tasks', {
    name: 'Nightly',
    steps: [{ id: 'pause', type: 'wait', with: { seconds: 0 } }],
  });
  expect(task.status).toBe(201);
  taskId = task.body.data.id as string;
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), platform.url, problems);
  await page.goto(`${platform.url}/console/tasks/${taskId}`);
  await signIn(page, space.owner);
  await heading('Nightly');
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const task = async (): Promise<Record<string, unknown>> =>
  (await space.owner.get(`/tasks/${taskId}`)).body.data as Record<string, unknown>;
/** Until the API has it, and the page shows that it is saved. */
const saved = async (version: number): Promise<void> => {
  await until(async () => (await task())['version'] === version || undefined);
  await page.locator('button:disabled', { hasText: /^Save$/ }).waitFor();
};

test('a saved task keeps its owner, and the newer version of a colleague is not overwritten', async () => {
  const { ownerId } = await task();
  await page.getByRole('checkbox', { name: 'Active' }).uncheck();
  await button('Save').click();
  await saved(2);
  expect(await task()).toMatchObject({ active: false, ownerId });
  await colleague.put(`/tasks/${taskId}`, { description: 'Of the colleague' });
  await field('Name').fill('Mine');
  await button('Save').click();
  await page.getByText('Someone else saved version 3').waitFor();
  expect(await task()).toMatchObject({ name: 'Nightly', description: 'Of the colleague' });
  expect(await field('Name').inputValue()).toBe('Mine');
  // Only the edited field overwrites it.
  await button('Keep mine').click();
  await button('Save').click();
  await saved(4);
  expect(await task()).toMatchObject({ name: 'Mine', description: 'Of the colleague', ownerId });
  await page.getByText('Someone else saved').waitFor({ state: 'detached' });
});

test('a save without a network says so, keeps what was written, and is done when it is pressed again', async () => {
  await field('Description').fill('Written on a train');
  await page.context().setOffline(true);
  await button('Save').click();
  await page.getByRole('main').getByRole('alert').waitFor();
  await page.context().setOffline(false);
  expect(await field('Description').inputValue()).toBe('Written on a train');
  await button('Save').click();
  await saved(5);
  expect(await task()).toMatchObject({ description: 'Written on a train' });
});

/** The single record: lists leave out the steps. */
async function taskNamed(name: string): Promise<Record<string, unknown>> {
  const [found] = (await space.owner.get(`/tasks?q=${name}`)).body.data as { id: string }[];
  return (await space.owner.get(`/tasks/${found?.id}`)).body.data as Record<string, unknown>;
}

test('a schedule is shown in words with its next times, and steps are edited as JSON', async () => {
  await page.goto(`${platform.url}/console/tasks/new`);
  await heading('Create task');
  await field('Name').fill('Scheduled');
  await page.getByRole('combobox', { name: 'Starts' }).selectOption('SCHEDULE');
  await field('Cron').fill('30 9 * * 1-5');
  await page.getByText('At 09:30, on Monday to Friday').waitFor();
  await until(
    async () => (await page.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count()) === 5 || undefined,
  );
  await button('Edit as JSON').click();
  await field('Steps as JSON').fill('[{"id": "a", "type": "wait",\n "with": {"seconds": "x"}}]');
  await button('Create task').click();
  await page.getByText(/^Line 2: steps\[0\]\.with\.seconds/).waitFor();
  await button('Edit in the form').click();
  // The same problem stands at its step.
  await page.getByRole('listitem').locator('[aria-invalid=true]').waitFor();
  expect(await field('Seconds').getAttribute('aria-invalid')).toBe('true');
  await button('Edit as JSON').click();
  await field('Steps as JSON').fill(
    '[{"id": "a", "type": "wait", "with": {"seconds": 1}, "retry": {"maxAttempts": 3}}]',
  );
  // The same as YAML, and back.
  await button('Edit as YAML').click();
  const yaml = field('Steps as YAML');
  await until(async () => /maxAttempts: 3/u.test((await yaml.textContent()) ?? '') || undefined);
  await yaml.fill('- id: a\n  type: wait\n  with: [');
  await page.getByText(/^Line 3: /).waitFor();
  expect(await button('Edit in the form').isDisabled()).toBe(true);
  await yaml.fill('- id: a\n  type: wait\n  with:\n    seconds: x\n');
  await button('Create task').click();
  await page.getByText(/^Line 4: steps\[0\]\.with\.seconds/).waitFor();
  await yaml.fill('# three times\n- id: a\n  type: wait\n  with: {seconds: 1}\n  retry:\n    maxAttempts: 3\n');
  await button('Edit as JSON').click();
  await until(async () => /"maxAttempts": 3/u.test((await field('Steps as JSON').textContent()) ?? '') || undefined);
  await button('Edit as YAML').click();
  await yaml.waitFor();
  await page.getByRole('spinbutton', { name: 'Timeout' }).fill('90');
  await button('Create task').click();
  await heading('Scheduled');
  const made = await taskNamed('Scheduled');
  expect(made).toMatchObject({ timeoutSeconds: 90, steps: [{ id: 'a', retry: { maxAttempts: 3 } }] });
});

test('a step is a form by its type, its templates are completed, and its JSON is the same', async () => {
  await page.goto(`${platform.url}/console/tasks/new`);
  await heading('Create task');
  // The refused field is named and has the focus.
  await button('Create task').click();
  await until(
    async () => (await field('Name').evaluate((one) => one === one.ownerDocument.activeElement)) || undefined,
  );
  expect(await field('Name').getAttribute('aria-invalid')).toBe('true');
  await field('Name').fill('Formed');
  await field('Default inputs').fill('{"order": 7}');
  await button('Add step').click();
  await button('Add step').click();
  const step = (index: number) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: field('Id') })
      .nth(index);
  const first = step(0);
  await first.getByRole('textbox', { name: 'Id' }).fill('fetch');
  await first.getByRole('combobox', { name: 'Type' }).selectOption('http');
  await first.getByRole('textbox', { name: 'Address' }).fill('https://example.com/');
  await first.getByRole('textbox', { name: 'Address' }).press('End');
  // By the keyboard alone.
  await page.keyboard.type('{{ inputs.ord');
  await page.getByRole('option', { name: 'execution.inputs.order' }).waitFor();
  await page.keyboard.press('Enter');
  await until(
    async () =>
      (await first.getByRole('textbox', { name: 'Address' }).inputValue()) ===
        'https://example.com/{{ execution.inputs.order }}' || undefined,
  );
  await first.getByRole('textbox', { name: 'Headers' }).fill('accept: text/plain\nx-order: {{ execution.id }}');
  await first.getByRole('spinbutton', { name: 'Attempts' }).fill('3');
  await first.getByRole('spinbutton', { name: 'Retry after' }).fill('2');
  const second = step(1);
  await second.getByRole('textbox', { name: 'Field', exact: true }).fill('page');
  await second.getByRole('textbox', { name: 'Value' }).fill('');
  await page.keyboard.type('{{ ');
  // The last of a list that is higher than its box: it is seen as it is chosen.
  const list = page.getByRole('listbox', { name: 'Completions of Value' });
  await list.waitFor();
  await page.keyboard.press('ArrowUp');
  await list.getByRole('option', { selected: true, name: 'execution.scheduledFor' }).waitFor();
  const [box, option] = [await list.boundingBox(), await list.getByRole('option').last().boundingBox()];
  expect((option?.y ?? 0) + (option?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
  await page.keyboard.type('fetch');
  await page.getByRole('option', { name: 'steps.fetch.output.body' }).click();
  await until(
    async () =>
      (await second.getByRole('textbox', { name: 'Value' }).inputValue()) === '{{ steps.fetch.output.body }}' ||
      undefined,
  );
  await button('Edit fetch as JSON').click();
  expect(JSON.parse(await field('What fetch does').innerText())).toEqual({
    method: 'GET',
    url: 'https://example.com/{{ execution.inputs.order }}',
    headers: { accept: 'text/plain', 'x-order': '{{ execution.id }}' },
  });
  await button('Edit fetch in the form').click();
  await button('Create task').click();
  await heading('Formed');
  const made = await taskNamed('Formed');
  expect(made['steps']).toMatchObject([
    { id: 'fetch', type: 'http', retry: { maxAttempts: 3, backoffSeconds: 2 } },
    { type: 'transform', with: { page: '{{ steps.fetch.output.body }}' } },
  ]);
});

test('a prompt that is written stays when a colleague saves its agent, and is told so', async () => {
  const agent = await space.owner.post('/agents', { name: 'Writer', model: 'sim-chat', systemPrompt: 'Old.' });
  const path = `/agents/${agent.body.data.id as string}`;
  await page.goto(`${platform.url}/console${path}`);
  await field('Prompt').fill('A long prompt.');
  await space.owner.put(path, { systemPrompt: 'Theirs.' });
  // The page is looked at again, after a while: it reads the agent anew.
  await until(async () => {
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    return (await page.getByText('Someone else saved version 2').count()) === 1 || undefined;
  });
  expect(await field('Prompt').inputValue()).toBe('A long prompt.');
  await button('Load version 2').click();
  expect(await field('Prompt').inputValue()).toBe('Theirs.');
});

test('steps that are only looked at as JSON and YAML are no change', async () => {
  await page.goto(`${platform.url}/console/tasks/${taskId}`);
  await button('Edit as YAML').click();
  await field('Steps as YAML').waitFor();
  await button('Edit as JSON').click();
  await field('Steps as JSON').waitFor();
  expect([await button('Save').isDisabled(), await button('Run').isDisabled()]).toEqual([true, false]);
  await field('Steps as JSON').fill('[{"id": "pause", "type": "wait", "with": {"seconds": 2}}]');
  await until(async () => (await button('Save').isEnabled()) || undefined);
  await button('Edit in the form').click();
  await field('Seconds').fill('0');
  await until(async () => (await button('Save').isDisabled()) || undefined);
});

test('what is written into the page of a record stays when a colleague deletes the record', async () => {
  const agent = await space.owner.post('/agents', { name: 'Short-lived', model: 'sim-chat', systemPrompt: 'Old.' });
  const path = `/agents/${agent.body.data.id as string}`;
  await page.goto(`${platform.url}/console${path}`);
  await field('Prompt').fill('The work of an hour.');
  expect((await space.owner.delete(path)).status).toBe(200);
  await button('Save').click();
  await page.getByRole('main').getByText('Agent not found').first().waitFor();
  expect(await field('Prompt').inputValue()).toBe('The work of an hour.');
});

test('a step is a line with its last result, opens by keyboard, and runs alone with what a past run gave', async () => {
  const steps = [
    { id: 'look', type: 'transform', with: { total: 7, text: '{{ execution.inputs.order }}' } },
    { id: 'odd', type: 'wait', if: '{{ steps.look.output.total }}', with: { seconds: 0 } },
    {
      id: 'letter',
      type: 'transform',
      if: '{{ steps.look.output.total }}',
      with: { body: 'Order {{ steps.look.output.text }} costs {{ steps.look.output.total }}' },
      continueOnError: true,
    },
    {
      id: 'call',
      type: 'http',
      with: { method: 'POST', url: 'https://stock.example/{{ execution.id }}' },
      if: '{{ execution.inputs.none }}',
    },
  ];
  const made = await space.owner.post('/tasks', { name: 'Lines', inputs: { order: '1042' }, steps });
  const path = `/tasks/${made.body.data.id as string}`;
  const run = await space.owner.post(`${path}/execute`, {});
  await until(
    async () =>
      (await space.owner.get(`/tasks/runs/${run.body.data.id}`)).body.data.status === 'SUCCEEDED' || undefined,
  );
  await page.goto(`${platform.url}/console${path}`);
  const line = (name: RegExp) => page.getByRole('region', { name: 'Steps' }).getByRole('button', { name });
  await line(/^call POST stock\.example\/… .*Last run: .*Skipped$/u).waitFor();
  await line(/^look text, total .*Last run: .*Done$/u).waitFor();
  // One bracket for the two steps under one condition, another one for the third.
  expect(await page.getByText('Only if').count()).toBe(2);
  expect(await page.getByRole('textbox', { name: 'Id', exact: true }).count()).toBe(0);
  expect(await look(page, 'steps as lines')).toEqual([]);
  expect(await lookAtPhone(page, 'steps as lines')).toEqual([]);
  await line(/^letter/u).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Last output of letter' }).getByText('Order 1042 costs 7').waitFor();
  // The step runs as it is written here, unsaved.
  await field('Value').fill('{{ steps.look.output.text }} for {{ steps.look.output.total }}');
  await button('Run this step').click();
  const dialog = page.getByRole('dialog', { name: 'Run letter' });
  await dialog.getByRole('button', { name: 'Run this step' }).click();
  await dialog.getByRole('group', { name: 'Output' }).getByText('1042 for 7').waitFor();
  expect(await look(page, 'a step that ran alone', '[role=dialog]')).toEqual([]);
  expect(await lookAtPhone(page, 'a step that ran alone', '[role=dialog]')).toEqual([]);
  // The task itself has not run again.
  const { data } = (await space.owner.get(`${path}/executions`)).body;
  expect(data.map(({ triedStep }: { triedStep: string | null }) => triedStep)).toEqual(['letter', null]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // A refused step opens.
  await line(/^letter/u).click();
  await line(/^odd/u).click();
  await field('Seconds').fill('soon');
  await line(/^odd/u).click();
  await field('Seconds').waitFor({ state: 'detached' });
  await button('Save').click();
  await until(async () => (await field('Seconds').getAttribute('aria-invalid')) === 'true' || undefined);
});

test('a VIEWER reads the JSON of a task, and cannot edit it', async () => {
  const context = await browser.newContext();
  const viewer = await openPage(context, platform.url, problems);
  await viewer.goto(`${platform.url}/console/tasks/${taskId}`);
  await signIn(viewer, await space.member('VIEWER'));
  await viewer.getByRole('group', { name: 'What pause does' }).waitFor();
  await viewer.getByRole('group', { name: 'Default inputs' }).waitFor();
  expect(await viewer.locator('[contenteditable=true]').count()).toBe(0);
  await context.close();
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});
