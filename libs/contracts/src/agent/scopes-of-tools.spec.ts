import { missingScopes, scopesOfAgent } from './scopes-of-tools';

describe('the scopes of an agent', () => {
  it('are those that its tools and its knowledge use, each once', () => {
    expect(scopesOfAgent({ tools: ['ask_user', 'web_search', 'save_memory'], knowledge: [] })).toEqual([]);
    expect(scopesOfAgent({ tools: ['query_dataset', 'search_datasets'], knowledge: [{ datasetId: 'd' }] })).toEqual([
      'datasets:read',
    ]);
    expect(scopesOfAgent({ tools: ['run_task', 'emit_event', 'write_dataset'], knowledge: [] })).toEqual([
      'datasets:write',
      'events:emit',
      'tasks:execute',
    ]);
  });

  it('are missing where the caller does not hold them', () => {
    const caller = { role: 'MEMBER' as const, scopes: ['agents:write', 'datasets:write'] };
    expect(missingScopes(caller, ['datasets:read', 'datasets:write', 'tasks:execute'])).toEqual(['tasks:execute']);
    expect(missingScopes({ ...caller, scopes: ['*'] }, ['datasets:read', 'tasks:execute'])).toEqual([]);
  });

  it('may be replaced by the role ADMIN for emitting, and by no role for anything else', () => {
    const member = { role: 'MEMBER' as const, scopes: ['agents:write'] };
    expect(missingScopes(member, ['events:emit', 'datasets:read'])).toEqual(['events:emit', 'datasets:read']);
    expect(missingScopes({ ...member, role: 'OWNER' }, ['events:emit', 'datasets:read'])).toEqual(['datasets:read']);
  });
});
