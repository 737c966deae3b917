import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';

const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let browser: Browser;
let page: Page;
let path: string;

beforeAll(async () => {
  space = await platform.newSpace();
  const schema = { fields: [{ name: 'title', type: 'string' }] };
  expect((await space.owner.post('/datasets', { name: 'Articles', schema })).status).toBe(201);
  browser = await openBrowser();
  page = await openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), platform.url, problems);
  await page.goto(`${platform.url}/console/agents`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
const agent = async (): Promise<Record<string, unknown>> =>
  (await space.owner.get(path)).body.data as Record<string, unknown>;
const saved = async (version: number): Promise<void> => {
  await until(async () => (await agent())['version'] === version || undefined);
  await page.locator('button:disabled', { hasText: /^Save$/ }).waitFor();
};
const open = (label: string): Promise<void> => page.locator('summary', { hasText: label }).click();

test('an agent is made with forms: its model with window and price, knowledge and rules', async () => {
  await goTo(page, 'Agents');
  await button('Create agent').click();
  await field('Name').fill('Clerk');
  await field('Prompt').fill('You are {{tone}}.');
  await choice('Model').selectOption('sim-chat');
  await page.getByText(/^Window of 128,000 tokens/).waitFor();
  await page.getByRole('spinbutton', { name: 'Top p' }).fill('0.5');
  await page.getByRole('checkbox', { name: /^write_dataset/ }).check();
  await page.getByRole('checkbox', { name: /^save_memory/ }).check();
  await open('Prompt variables');
  await button('Add variable').click();
  await page.getByRole('group', { name: 'variable 1' }).getByRole('textbox', { name: 'Name' }).fill('tone');
  await page.getByRole('group', { name: 'variable 1' }).getByRole('textbox', { name: 'Default' }).fill('brief');
  await open('Knowledge');
  await button('Add dataset').click();
  await choice('Dataset').selectOption({ label: 'Articles' });
  await page.getByRole('spinbutton', { name: 'Records' }).fill('3');
  await open('Approvals');
  await button('Add rule').click();
  await page.getByRole('group', { name: 'rule 1' }).getByRole('textbox', { name: 'Tool' }).fill('write_*');
  await page
    .getByRole('group', { name: 'rule 1' })
    .getByRole('textbox', { name: 'When' })
    .fill('{"operation": "delete"');
  // Invalid JSON shows an error and is not saved.
  await page.getByText('Must be a JSON object.').waitFor();
  expect(await button('Create agent').isDisabled()).toBe(true);
  await page
    .getByRole('group', { name: 'rule 1' })
    .getByRole('textbox', { name: 'When' })
    .fill('{"operation": "delete"}');
  await open('MCP servers');
  await button('Add server').click();
  await page.getByRole('group', { name: 'server 1' }).getByRole('textbox', { name: 'Name' }).fill('crm');
  await page.getByRole('group', { name: 'server 1' }).getByRole('textbox', { name: 'Address' }).fill('no address');
  await button('Create agent').click();
  // The refusal stands at its field.
  await page.locator('[aria-invalid=true]').first().waitFor();
  expect(await page.locator('[aria-invalid=true]').getAttribute('placeholder')).toBe('https://');
  await button('Remove server 1').click();
  await button('Create agent').click();
  await page.getByRole('heading', { level: 1, name: 'Clerk', exact: true }).waitFor();
  path = `/agents/${new URL(page.url()).pathname.split('/').at(-1)}`;
  expect(await agent()).toMatchObject({
    model: 'sim-chat',
    settings: { top_p: 0.5 },
    promptVariables: [{ name: 'tone', default: 'brief' }],
    knowledge: [{ topK: 3 }],
    approvals: [{ tool: 'write_*', when: { operation: 'delete' } }],
    mcpServers: [],
  });
});

test('rules are tested by the platform, before they are saved', async () => {
  await open('Approvals');
  const tester = page.getByRole('region', { name: 'Test the rules' });
  await tester.getByRole('button', { name: 'Test' }).click();
  await tester.getByText('The user of the turn has to approve this call.').waitFor();
  await tester.getByText(/Rule 1 of this agent/).waitFor();
  await tester.getByText(/The agent wants to run write_dataset/).waitFor();
  await tester.getByRole('textbox', { name: 'Arguments' }).fill('{"operation": "insert"}');
  await tester.getByRole('button', { name: 'Test' }).click();
  await tester.getByText('No rule matches').waitFor();
  await page.getByRole('group', { name: 'rule 1' }).getByRole('textbox', { name: 'When' }).fill('');
  await page
    .getByRole('group', { name: 'rule 1' })
    .getByRole('combobox', { name: 'Approved by' })
    .selectOption('ADMIN');
  await tester.getByRole('button', { name: 'Test' }).click();
  await tester.getByText('An admin has to approve this call.').waitFor();
  await button('Edit Approvals as JSON').click();
  expect(JSON.parse(await field('Approvals').innerText())).toEqual([{ tool: 'write_*', by: 'ADMIN' }]);
  await choice('Model').selectOption({ label: 'Another model' });
  await field('Model id').fill('tomorrow-1');
  await page.getByText('The relay does not offer it now').waitFor();
  await choice('Model').selectOption('sim-chat');
  await button('Save').click();
  await saved(2);
  expect(await agent()).toMatchObject({ approvals: [{ tool: 'write_*', by: 'ADMIN' }], model: 'sim-chat' });
});

test('an agent is tried beside its form, and what it remembers is corrected and forgotten', async () => {
  await button('Try it').click();
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.waitFor();
  // The form beside it keeps its buttons.
  const [open, save] = [await trial.boundingBox(), await button('Save').boundingBox()];
  expect((save?.x ?? 0) + (save?.width ?? 0)).toBeLessThanOrEqual(open?.x ?? 0);
  await trial
    .getByRole('textbox', { name: 'Message' })
    .fill('@@tool save_memory {"text": "Likes trains"}\n@@reply Noted <b>this</b>.');
  await trial.getByRole('button', { name: 'Send' }).click();
  await trial.getByRole('article', { name: 'Agent' }).getByText('Noted').waitFor();
  await trial.getByRole('link', { name: 'Open in Chat' }).waitFor();
  await trial.getByRole('button', { name: 'Close the trial' }).click();
  await page.reload();
  const row = page.getByRole('table', { name: 'Memories' }).getByRole('row', { name: /Likes trains/ });
  await row.getByRole('button', { name: 'Edit memory' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit memory' });
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Likes ferries');
  await dialog.getByRole('button', { name: 'Save memory' }).click();
  await page.getByRole('table', { name: 'Memories' }).getByText('Likes ferries').waitFor();
  await button('Delete mine').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my memories' }).click();
  await page.getByText('This agent remembers nothing about you.').waitFor();
  expect((await space.owner.get(`${path}/memories`)).body.data).toEqual([]);
});

test('how long its turns took is a curve, read by keys and as a table, and leaves a draft alone', async () => {
  const latency = page.getByRole('region', { name: 'Latency', exact: true });
  await latency.getByText('Half took at most').first().waitFor();
  await field('Description').fill('Not saved yet');
  await latency.getByRole('combobox', { name: 'Latency of' }).selectOption({ label: 'Last 90 days' });
  await page.waitForURL(/latency=quarter/u);
  expect(await field('Description').inputValue()).toBe('Not saved yet');
  const curve = latency.getByRole('slider', { name: 'Latency, point in time' });
  const table = latency.getByRole('table', { name: 'Latency' });
  await until(async () => (await table.getByRole('row').count()) === 91 || undefined);
  const today = table.getByRole('row').last();
  expect(await today.innerText()).toMatch(/\d+ ms|\d s/u);
  expect(await table.getByRole('row').nth(1).innerText()).toMatch(/none\s+none/u);
  await curve.press('End');
  expect(await curve.getAttribute('aria-valuetext')).toMatch(
    /: 95% took at most [\d.]+ m?s, Half took at most [\d.]+ m?s$/u,
  );
  await curve.press('Home');
  expect(await curve.getAttribute('aria-valuetext')).toMatch(/: 95% took at most none, Half took at most none$/u);
  await page.reload();
  await latency.getByRole('combobox', { name: 'Latency of' }).waitFor();
  expect(await latency.getByRole('combobox', { name: 'Latency of' }).inputValue()).toBe('quarter');
});

test('files go with a message, and of several calls those run that are selected', async () => {
  await button('Try it').click();
  const trial = page.getByRole('region', { name: 'Try it' });
  const files = trial.getByLabel('Files', { exact: true });
  const file = (name: string, mimeType: string, text: string) => ({ name, mimeType, buffer: Buffer.from(text) });
  await files.setInputFiles([file('report.pdf', 'application/pdf', '%PDF')]);
  await page.getByText('report.pdf cannot be attached').waitFor();
  await files.setInputFiles([file('orders.csv', 'text/csv', 'id\n7\n'), file('dot.png', 'image/png', 'dot')]);
  await trial.getByRole('list', { name: 'Attachments' }).getByText('orders.csv').waitFor();
  await trial.getByRole('button', { name: 'Remove dot.png' }).click();
  const call = (operation: string): string => `@@tool write_dataset ${JSON.stringify({ operation })}`;
  await trial
    .getByRole('textbox', { name: 'Message' })
    .fill(`${call('insert')}\n${call('delete')}\n@@reply Understood.`);
  await trial.getByRole('button', { name: 'Send' }).click();
  await trial.getByText('None is selected: all calls are denied.').waitFor();
  await trial.getByRole('checkbox').first().check();
  await trial.getByText('Calls that are not selected are denied.').waitFor();
  await trial.getByRole('checkbox').first().uncheck();
  await trial.getByRole('textbox', { name: 'Reason for denial' }).fill('Not today');
  await trial.getByRole('button', { name: 'Answer' }).click();
  await trial.getByText('Understood.', { exact: true }).waitFor();
  await trial.getByRole('article', { name: 'You' }).getByText('orders.csv').waitFor();
  const [session] = (await space.owner.get('/agents/sessions')).body.data as { id: string }[];
  const read = async (): Promise<object[]> =>
    (await space.owner.get(`/agents/sessions/${session?.id}/messages`)).body.data as object[];
  const denials = async (): Promise<number> =>
    (await read()).filter((message) => JSON.stringify(message).includes('Not today')).length;
  // A turn is stored when it has ended.
  await until(async () => (await denials()) === 2 || undefined);
  const messages = await read();
  const attached = { name: 'orders.csv', media_type: 'text/csv', size: 5, text: 'id\n7\n' };
  expect(messages[0]).toMatchObject({ content: [{ type: 'text' }, { type: 'file', file_info: attached }] });
});

test('an agent whose model is not offered has a warning, on its page and before a chat with it', async () => {
  const made = async (name: string, body: object): Promise<string> =>
    (await space.owner.post('/agents', { name, systemPrompt: 'x', ...body })).body.data.id as string;
  const missing = await made('Tomorrow', { model: 'tomorrow-1' });
  const fallback = await made('Fallback', { model: 'sim-chat', fallbackModels: ['tomorrow-2'] });
  const warning = (model: string) => page.getByText(`The relay does not offer the model ${model}: messages to this`);
  await page.goto(`${platform.url}/console/agents/${missing}`);
  await warning('tomorrow-1').waitFor();
  await page.goto(`${platform.url}/console/chat?agent=${missing}`);
  await warning('tomorrow-1').waitFor();
  await page.goto(`${platform.url}/console/agents/${fallback}`);
  await page
    .getByText('The relay does not offer the model tomorrow-2: this agent uses sim-chat in its place.')
    .waitFor();
  // It is true.
  const chat = (id: string) =>
    space.owner.post(`/agents/${id}/chat`, { contents: [{ type: 'text', text: 'Hello' }], stream: false });
  expect((await chat(missing)).status).toBe(404);
  expect((await chat(fallback)).body.data).toMatchObject({ status: 'COMPLETED' });
  await page.goto(`${platform.url}${path.replace('/agents', '/console/agents')}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByText('The relay does not offer the model').count()).toBe(0);
});

test('the list shows the agents that wait for a person, their runs and last use, and all of it stays live', async () => {
  const { body } = await space.owner.post('/agents', {
    name: 'Asks first',
    model: 'sim-chat',
    systemPrompt: 'x',
    tools: ['ask_user'],
  });
  const { id } = body.data as { id: string };
  await page.goto(`${platform.url}/console/agents`);
  const row = page.getByRole('table', { name: 'Agents' }).getByRole('row', { name: /Asks first/ });
  const cell = (at: number) => row.getByRole('cell').nth(at);
  const [RUNS, LAST_USED] = [2, 5];
  await until(async () => (await cell(RUNS).innerText()) === '0' || undefined);
  expect(await cell(LAST_USED).innerText()).toBe('–');
  const question = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'Alpha' }] };
  const contents = [{ type: 'text', text: `@@tool ask_user ${JSON.stringify(question)}\n@@reply Alpha then` }];
  await space.owner.post(`/agents/${id}/chat`, { stream: false, contents });
  const waits = row.getByRole('link', { name: '1 waits for a person' });
  await waits.waitFor();
  await until(async () => /now|ago/u.test(await cell(LAST_USED).innerText()) || undefined);
  expect(await waits.getAttribute('href')).toMatch(/\/activity\?.*status=waiting/u);
  const [interaction] = (await space.owner.get(`/interactions?status=PENDING&agentId=${id}`)).body.data as {
    id: string;
    sessionId: string;
    turnId: string;
  }[];
  const answer = {
    sessionId: interaction?.sessionId,
    interactionId: interaction?.id,
    selectedOptionIds: ['a'],
    otherText: null,
  };
  const headers = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
  const resumed = await space.owner.stream(`/agents/${id}/turns/${interaction?.turnId}/resume`, answer, { headers });
  await resumed.all();
  await waits.waitFor({ state: 'detached' });
  await until(async () => (await cell(RUNS).innerText()) === '1' || undefined);
});

test('the page had no error, no violation of its policy, and no request to another origin', () => {
  expect(problems).toEqual([]);
});
