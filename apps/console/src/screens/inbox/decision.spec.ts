import { type Call, decisionOf, effectsOf } from './decision';

const call = (name: string, args: unknown, source: Call['source'] = 'local'): Call => ({
  call_id: 'c1',
  name,
  source,
  arguments: args,
  digest: '',
});
const ORDER = { order: '1002', amount: 180, currency: 'EUR' };
const ID = '0198c0de-0000-7000-8000-000000000001';

describe('the sentence of an approval', () => {
  it.each([
    ['refund', ORDER, 'Refund 180.00 EUR for order 1002?'],
    ['crm__refund_order', ORDER, 'Refund 180.00 EUR for order 1002?'],
    ['refundOrder', { orderId: 1002 }, 'Refund order 1002?'],
    ['cancel-order', { order: 7, reason: 'broken glass' }, 'Cancel order 7, reason “broken glass”?'],
    ['refund', { amount: '99.5', currency: 'usd' }, 'Refund 99.5 USD?'],
    ['send_email', { to: 'ada@example.com', subject: 'Hello' }, 'Send email: to ada@example.com, subject Hello?'],
    ['pay', { amount: 1800, currency: 'JPY' }, 'Pay 1,800 JPY?'],
    ['reboot', {}, 'Reboot?'],
    ['notify', null, 'Notify?'],
  ])('is made of the name and the arguments of %s', (name, args, question) => {
    expect(decisionOf(call(name, args), {}).question).toBe(question);
  });

  it('is made of the title and the declared inputs, in their order', () => {
    const schema = {
      type: 'object',
      properties: { amount: {}, currency: {}, order: { title: 'Order number' }, note: { type: 'string' } },
    };
    const { question } = decisionOf(call('x1', { note: 'n', ...ORDER }), { title: 'Refund a customer.', schema });
    expect(question).toBe('Refund a customer: 180.00 EUR, order number 1002, note n?');
  });

  it('drops the article of a title before the amount', () => {
    expect(decisionOf(call('x2', ORDER), { title: 'Refund an order' }).question).toBe(
      'Refund 180.00 EUR for order 1002?',
    );
  });

  it('leaves out what is long, and shows it below', () => {
    const lines = [{ sku: 'a' }];
    const { question, inputs } = decisionOf(
      call('ship', { order: 1, lines, note: 'x'.repeat(100), a: 1, b: 2, c: 3 }),
      {},
    );
    expect(question).toBe('Ship order 1, a 1, b 2?');
    expect(inputs).toEqual([
      { label: 'Lines', value: '[{"sku":"a"}]' },
      { label: 'Note', value: 'x'.repeat(100) },
      { label: 'C', value: '3' },
    ]);
  });

  it.each([
    ['write_dataset', { datasetId: ID, operation: 'insert', records: [{}, {}] }, 'Add 2 records to “Orders”?'],
    ['write_dataset', { datasetId: ID, operation: 'delete', all: true }, 'Delete all records of “Orders”?'],
    ['write_dataset', { datasetId: ID, operation: 'update', ids: ['a'] }, 'Change 1 record of “Orders”?'],
    ['write_dataset', { operation: 'delete', filter: {} }, 'Delete the records that match the filter of a dataset?'],
    ['write_dataset', { datasetId: ID }, 'Read records of “Orders”?'],
    ['run_task', { taskId: ID, inputs: ORDER }, 'Run “Orders” with 180.00 EUR, order 1002?'],
    ['run_task', {}, 'Run a task?'],
    ['emit_event', { appIdentifier: 'shop', event: 'order.paid', payload: {} }, 'Emit the event order.paid of shop?'],
    ['web_search', { query: 'trains' }, 'Search the web for “trains”?'],
    ['save_memory', { text: 'Likes trains' }, 'Save a memory about the user: “Likes trains”?'],
  ])('of the built-in tool %s names records, and no ids', (name, args, question) => {
    const decision = decisionOf(call(name, args, 'builtin'), { names: new Map([[ID, 'Orders']]) });
    expect(decision.question).toBe(question);
    expect(JSON.stringify(decision)).not.toContain(ID);
  });

  it('says what follows from each answer', () => {
    expect(effectsOf([call('crm__refund', {}, 'mcp')], 'Clerk').yes).toMatch(/on the MCP server crm/u);
    expect(effectsOf([call('a', {}), call('b', {})], 'Clerk').no).toMatch(/not selected does not run/u);
  });
});
