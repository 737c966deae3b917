import { OPERATIONS, asksForStream, findOperation, operationAt } from './operations';

describe('the operations of the NATS API', () => {
  it.each(OPERATIONS)('$operation is found by its tokens, and by its route', (operation) => {
    const tokens = operation.operation.split('.').map((token) => (token.startsWith('<') ? 'x1' : token));
    const found = findOperation(tokens);
    expect(found?.operation.operation).toBe(operation.operation);
    expect(found?.path).toBe(operation.path.replace(/\{\w+\}/g, 'x1'));
    expect(operationAt(operation.method, found?.path ?? '')?.operation).toBe(operation.operation);
  });

  it.each(['', 'ping.x', 'agents.a', 'agents.a.b.execute', 'turns.a.execute', 'jobs.a', 'datasets.a.drop', 'http'])(
    '%j is none',
    (subject) => {
      expect(findOperation(subject.split('.'))).toBeNull();
    },
  );

  it('writes a token as one segment of the path', () => {
    expect(findOperation(['agents', 'a/../b?c#d', 'execute'])?.path).toBe('/api/agents/a%2F..%2Fb%3Fc%23d/execute');
  });

  it.each([
    ['always', '', true],
    ['unless false', '{}', true],
    ['unless false', '{"stream": false}', false],
    ['if true', '{}', false],
    ['if true', '{"stream":true}', true],
    [undefined, '{"stream":true}', false],
  ] as const)('streams %s: %j is %s', (streams, body, expected) => {
    expect(asksForStream(streams, Buffer.from(body))).toBe(expected);
  });
});
