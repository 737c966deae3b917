import { emptied, misshapenIn, unsafeIn } from './message-validation';

const call = (args: unknown, id: string | number = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'call_agent', arguments: args },
});
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const about = (message: string): unknown => expect.objectContaining({ code: 'VALIDATION_ERROR', message }) as unknown;

describe('a message of valid JSON that later code cannot handle', () => {
  test.each([
    [{ text: 'a\u0000' }, 'text: must not contain the NUL character'],
    [{ a: [{ text: '\ud800' }] }, 'a[0].text: must be well-formed Unicode'],
    [JSON.parse('{"payload": {"__proto__": 1}}'), 'payload: must not have a key called __proto__'],
    [nested(9), 'a.a.a.a.a.a.a.a: is nested deeper than 8 levels'],
  ])('is told of the argument %j by name', (args, message) => {
    expect(unsafeIn(call(args), 8)).toEqual(about(message));
  });

  it('may have arguments as deep as the body of a route', () => {
    expect(unsafeIn(call(nested(8)), 8)).toBeNull();
  });

  it('is refused with the path of each problem', () => {
    expect(unsafeIn(call({}, '\u0000'), 8)).toEqual(about('id: must not contain the NUL character'));
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: '\u0000' } };
    expect(unsafeIn(read, 8)).toEqual(about('params.uri: must not contain the NUL character'));
  });

  it('keeps the id and the tool of a refused call', () => {
    expect(emptied(call({ text: '\u0000' }, '\u0000'), 8)).toEqual({
      jsonrpc: '2.0',
      id: '\u0000',
      method: 'tools/call',
      params: { name: 'call_agent', _meta: undefined },
    });
    const noted = { ...call({}), params: { name: 'x', _meta: { note: '\u0000' } } };
    expect([emptied(noted, 8), emptied({ ...noted, id: undefined }, 8), emptied([noted], 8)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('params that a method does not take', () => {
  test.each([
    ['initialize', undefined, 'protocolVersion: '],
    [
      'initialize',
      { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      'protocolVersion: ',
    ],
    [
      'initialize',
      { protocolVersion: 'x', capabilities: null, clientInfo: { name: 'a', version: '1' } },
      'capabilities: ',
    ],
    ['resources/read', { uri: 5 }, 'uri: '],
    ['resources/list', { cursor: 5 }, 'cursor: '],
    ['prompts/get', { name: 'agent-x', arguments: { who: 5 } }, 'arguments.who: '],
    ['tools/call', { name: 'whoami', arguments: 'x' }, 'arguments: '],
    ['tools/call', [], ''],
  ])('%s %j is one short line', (method, params, start) => {
    const fault = misshapenIn({ jsonrpc: '2.0', id: 1, method, params });
    expect(fault?.code).toBe('VALIDATION_ERROR');
    expect(fault?.message).toMatch(new RegExp(`^${start}.{3,100}$`));
  });

  test.each([
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', _meta: { progressToken: 1 } } },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    },
    { jsonrpc: '2.0', id: 1, method: 'no/such', params: 5 },
    { jsonrpc: '2.0', method: 'resources/read', params: { uri: 5 } },
    [],
    null,
  ])('%j is left to the protocol', (message) => {
    expect(misshapenIn(message)).toBeNull();
  });
});
