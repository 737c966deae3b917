import { readRequest, unknownOperation } from './read-request';

const headers = (given: Record<string, string | string[]>): Map<string, string[]> =>
  new Map(Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]));

const http = (method: string, path: string, more: Record<string, string> = {}) =>
  readRequest(['http'], headers({ 'switchyard-method': method, 'switchyard-path': path, ...more }));

describe('the request that a message stands for', () => {
  it('has the query of its header', () => {
    const target = readRequest(['jobs', 'a', 'get'], headers({ 'switchyard-query': '?x=1 2&ü=3' }))?.target;
    expect(target).toBe('/api/agent-jobs/a?x=1%202&%C3%BC=3');
  });

  it.each(['/health/live', '/mcp', 'api/agents', '/api', '/api/./x', '/api/a/..', '/api/%2E%2e/x', '/api/a/%2e'])(
    'leads not to %s',
    (path) => {
      expect(http('GET', path)).toBeNull();
    },
  );

  it('is known by its route, with a version in the path too', () => {
    expect(http('POST', '/api/v1/agents/a/chat')).toMatchObject({ streams: 'unless false', operation: 'http' });
    expect(http('POST', '/api/datasets/a/data/hybrid-search')).toMatchObject({ reads: true, worksWithoutReply: false });
    expect(http('POST', '/models/v1/chat/completions')).toMatchObject({ streams: 'if true' });
  });

  it.each([
    [{}, 'needs the headers'],
    [{ 'switchyard-method': 'FLY', 'switchyard-path': '/api/agents' }, 'must be a method'],
    [{ 'switchyard-method': ['GET', 'GET'], 'switchyard-path': '/api/agents' }, 'only once'],
  ])('of http is refused with %j', (given, message) => {
    expect(() => readRequest(['http'], headers(given))).toThrow(message);
  });
});

describe('the answer to an unknown operation', () => {
  const messageFor = (subject: string): string => unknownOperation(subject.split('.')).message;

  it('names the operation, and those that begin alike', () => {
    expect(messageFor('jobs.a.delete')).toBe(
      'There is no operation jobs.a.delete. Operations: jobs.submit, jobs.<jobId>.get, jobs.<jobId>.content, jobs.<jobId>.cancel.',
    );
    expect(messageFor('http.more')).toBe('There is no operation http.more. Operations: http.');
  });

  it('names how operations begin, if none begins alike', () => {
    expect(messageFor('event.emit')).toBe(
      'There is no operation event.emit. Operations begin with ping, events, agents, turns, jobs, tasks, executions, datasets, http.',
    );
  });

  it('repeats no secret, and only the start of a long one', () => {
    expect(messageFor(`nothing.SU${'A'.repeat(56)}`)).toContain('There is no operation nothing.…. ');
    expect(messageFor('x.'.repeat(3_000)).length).toBeLessThan(300);
  });

  it('names the paths of http', () => {
    expect(messageFor('http')).toContain('begin with /api/ or /models/');
  });
});
