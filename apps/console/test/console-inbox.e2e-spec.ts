import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { Browser, Page } from 'playwright-core';
import { goTo, openBrowser, openPage, signIn } from './support/browser';
import { WIDE, look, lookAtPhone } from './support/look';

// A decision in the inbox: its sentence, the facts about it, and its results.
const platform = usePlatform();
const problems: string[] = [];
let space: TestSpace;
let member: Client;
let browser: Browser;
let page: Page;
let taskId: string;

const REFUND = {
  name: 'refund_order',
  description: 'Refunds an order.',
  parameters: {
    type: 'object',
    properties: { amount: { type: 'number' }, currency: { type: 'string' }, order: { type: 'string' } },
  },
};

async function made(path: string, body: object, by = space.owner): Promise<string> {
  const answer = await by.post(path, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data.id as string;
}

/** A turn that waits for an approval of what its agent's prompt calls. */
async function askApproval(name: string, by: Client, rule: object, calls: readonly [string, object][]): Promise<void> {
  const lines = calls.map(([tool, args]) => `@@@tool ${tool} ${JSON.stringify(args)}`);
  const agentId = await made('/agents', {
    name,
    model: 'sim-chat',
    systemPrompt: [...lines, '@@@reply All done.'].join('\n'),
    tools: ['run_task', 'save_memory'],
    localTools: [REFUND],
    approvals: [{ tool: '*', ...rule }],
  });
  const contents = [{ type: 'text', text: 'Order 1002 arrived broken. Please see to it.' }];
  const { body } = await by.post(`/agents/${agentId}/chat`, { contents, stream: false });
  expect(body.data.status).toBe('WAITING_INPUT');
}

beforeAll(async () => {
  space = await platform.newSpace();
  member = await space.member();
  const steps = [{ id: 'note', type: 'transform', with: { order: '{{ execution.inputs.order }}' } }];
  taskId = await made('/tasks', { name: 'Send a new glass', steps });
  await askApproval('Customer desk', member, { by: 'ADMIN' }, [
    ['refund_order', { order: '1002', amount: 180, currency: 'EUR' }],
  ]);
  await askApproval('Warehouse', space.owner, {}, [['run_task', { taskId, inputs: { order: '1002' } }]]);
  await askApproval('Archive', space.owner, {}, [
    ['save_memory', { text: 'Glass breaks' }],
    ['save_memory', { text: 'Order 1002' }],
  ]);
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  page = await openPage(context, platform.url, problems);
  await page.goto(`${platform.url}/console/inbox`);
  await signIn(page, space.owner);
}, 120_000);

afterAll(() => browser.close());

const row = (text: RegExp) => page.getByRole('table', { name: 'Inbox' }).getByRole('row', { name: text });
const decided = (text: string) =>
  page.getByRole('region', { name: 'Decided' }).getByRole('listitem').filter({ hasText: text });

test('an approval shows the decision, its user and the last messages', async () => {
  const refund = row(/Customer desk/);
  await refund.getByText('Refund 180.00 EUR for order 1002?').waitFor();
  // The turn is of a member, who has a name.
  const { data: members } = (await space.owner.get(`/spaces/${space.id}/members?limit=100`)).body;
  const of = members.find(({ userId }: { userId: string }) => userId === member.identity.userId);
  await refund
    .getByText(of.name === '' ? of.email : of.name)
    .first()
    .waitFor();
  await refund.getByText('Tokens so far').waitFor();
  await refund
    .getByRole('group', { name: 'Last messages' })
    .getByRole('listitem')
    .getByText('Order 1002 arrived broken. Please see to it.')
    .waitFor();
  await refund
    .getByText('The application that started this turn runs it once. Then Customer desk continues.')
    .waitFor();
  await refund.getByText(/^Nothing runs\. Customer desk gets your reason/).waitFor();
  // The exact call is there for those who want it.
  const digest = refund.getByText(/^Digest/);
  expect(await digest.isVisible()).toBe(false);
  await refund.getByText('Details', { exact: true }).press('Enter');
  await digest.waitFor();
  expect(await refund.getByLabel('Arguments of refund_order', { exact: true }).innerText()).toContain('"amount": 180');
});

test('records have their names, and ids are in the details alone', async () => {
  const task = row(/Warehouse/);
  await task.getByText('Run “Send a new glass” with order 1002?').waitFor();
  expect((await task.innerText()).includes(taskId)).toBe(false);
  await task.getByText('Details', { exact: true }).click();
  await until(async () => (await task.innerText()).includes(taskId) || undefined);
});

test('several calls are each a sentence, and those run that are selected', async () => {
  const both = row(/Archive/);
  await both.getByText('Which of these 2 calls may run?').first().waitFor();
  await both.getByRole('checkbox', { name: 'Save a memory about the user: “Glass breaks”' }).check();
  await both.getByRole('button', { name: 'Answer' }).click();
  await both.waitFor({ state: 'detached' });
  const outcome = decided('1 of 2 approved');
  await outcome.getByText('Archive: All done.').waitFor();
  await outcome.getByText('Done', { exact: true }).waitFor();
});

test('what was decided stays on the page, with what came of it', async () => {
  await row(/Warehouse/)
    .getByRole('button', { name: 'Approve' })
    .click();
  const run = decided('Run “Send a new glass” with order 1002?');
  await run.getByText('Approved', { exact: true }).waitFor();
  await run.getByText(/^by you/u).waitFor();
  await run.getByText('Warehouse: All done.').waitFor();
  await row(/Customer desk/)
    .getByRole('textbox', { name: 'Reason for denial' })
    .fill('Ask for a photo first');
  await row(/Customer desk/)
    .getByRole('button', { name: 'Deny' })
    .click();
  const refund = decided('Refund 180.00 EUR for order 1002?');
  await refund.getByText('Denied', { exact: true }).waitFor();
  await refund.getByText('Reason: Ask for a photo first').waitFor();
  await refund.getByText('Customer desk: All done.').waitFor();
  await page.getByText('No pending questions').waitFor();
  // By keys one goes on there.
  expect(await page.evaluate<string | null>('document.activeElement.textContent')).toBe('Decided');
  await run.getByRole('link', { name: 'the run that it started' }).click();
  await page.getByRole('heading', { level: 1, name: 'Send a new glass' }).waitFor();
});

test('who cannot read the chat of a turn still sees what is decided', async () => {
  await askApproval('Second pair of eyes', space.owner, { by: 'OTHER' }, [['save_memory', { text: 'Seen by two' }]]);
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  const theirs = await openPage(context, platform.url, problems);
  const refused: string[] = [];
  theirs.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await theirs.goto(`${platform.url}/console/inbox`);
  await signIn(theirs, member);
  const approval = theirs.getByRole('row', { name: /Second pair of eyes/ });
  await approval.getByText('Save a memory about the user: “Seen by two”?').waitFor();
  await approval.getByText('Only the user of this chat and admins can read its messages.').waitFor();
  expect(await look(theirs, '/inbox')).toEqual([]);
  expect(await lookAtPhone(theirs, '/inbox')).toEqual([]);
  await approval.getByRole('button', { name: 'Approve' }).click();
  await theirs.getByRole('region', { name: 'Decided' }).getByText('Approved', { exact: true }).waitFor();
  expect(refused).toEqual([]);
  await context.close();
});

test('a decision of another admin has their name', async () => {
  const admin = await space.member('ADMIN');
  await askApproval('Night desk', member, { by: 'ADMIN' }, [['save_memory', { text: 'Seen at night' }]]);
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
  const theirs = await openPage(context, platform.url, problems);
  await theirs.goto(`${platform.url}/console/inbox`);
  await signIn(theirs, admin);
  const approval = theirs.getByRole('row', { name: /Night desk/ });
  await approval.getByRole('button', { name: 'Approve' }).click();
  await theirs
    .getByRole('region', { name: 'Decided' })
    .getByText(/^by you/u)
    .first()
    .waitFor();
  await context.close();
  await page.goto(`${platform.url}/console/inbox`);
  const { data: members } = (await space.owner.get(`/spaces/${space.id}/members?limit=100`)).body;
  const of = members.find(({ userId }: { userId: string }) => userId === admin.identity.userId);
  const decision = decided('Save a memory about the user: “Seen at night”?');
  await decision.getByText(`by ${of.name === '' ? of.email : of.name}`).waitFor();
});

test('nothing of it broke, and it is open to all', async () => {
  await goTo(page, 'Inbox');
  await decided('Refund 180.00').getByText('Denied', { exact: true }).waitFor();
  expect(await look(page, '/inbox')).toEqual([]);
  expect(await lookAtPhone(page, '/inbox')).toEqual([]);
  expect(problems).toEqual([]);
});
