import { routePath } from './request-path';

const plain = { serveAtRoot: false };

describe('the path of a request', () => {
  test.each([
    ['/api/agents', '/api/agents'],
    ['/v1/api/agents', '/api/agents'],
    ['/api/v1/agents?x=1', '/api/agents?x=1'],
    ['/v999/api/agents', '/api/agents'],
    ['/models/v1/chat/completions', '/models/v1/chat/completions'],
    ['/models/v1/models/maker%2Fmodel%3A8b?x=%2f', '/models/v1/models/maker/model%3A8b?x=%2f'],
    ['/models/v1/models/sim%2Dchat', '/models/v1/models/sim-chat'],
    ['/models/v1/models/%73im%2dchat%2F%32%2E5', '/models/v1/models/sim-chat/2.5'],
    ['/models/v1/chat/%63ompletions', '/models/v1/chat/%63ompletions'],
    ['/v1/v2/api/agents', '/v1/v2/api/agents'],
    ['/v1234/api/agents', '/v1234/api/agents'],
    ['/v1api/agents', '/v1api/agents'],
    ['/agents', '/agents'],
  ])('reads %s as %s', (target, route) => {
    expect(routePath(target, plain)).toBe(route);
  });

  test.each([
    '//api/agents',
    '/api//agents',
    '/api/agents%2f..',
    '/api;x/agents',
    '/api\\agents',
    'http://evil/api/agents',
    '/api/../agents',
    '/api/./agents',
    '/api/%2e%2e/agents',
    '/api/agents/%00',
    '/%61pi/agents',
    '/models/v1/models/..%2fchat',
    '/models/v1/models/a%2f%2fb',
    '/models/v1/models/%2e%2e%2fchat',
    '/models/v1/models/a%252db',
    '/models/v1/models/a%2%64b',
    '/models/v1/models/a%2%66b',
    '/%6dodels/v1/chat/completions',
    '/models/%761/chat/completions',
    '/models/v1/models%2fa',
    '/models/v1/chat%2fcompletions',
  ])('refuses %s', (target) => {
    expect(routePath(target, plain)).toBeNull();
  });

  test('serves the routes at the root where that is configured', () => {
    expect(routePath('/agents?limit=1', { serveAtRoot: true })).toBe('/api/agents?limit=1');
    expect(routePath('/v1/agents', { serveAtRoot: true })).toBe('/api/agents');
    expect(routePath('/health/live', { serveAtRoot: true })).toBe('/health/live');
  });
});
