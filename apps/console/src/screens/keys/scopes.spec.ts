/// <reference types="jest" />
import { AREAS, scopeWords } from './scopes';

describe('the scopes of a key in words', () => {
  it('have one entry for each area', () => {
    expect(scopeWords(['agents:read', 'tasks:execute', 'agents:call'])).toEqual(['Agents: read, call', 'Tasks: run']);
  });

  it('are one entry where they are all, and approvals stand beside it', () => {
    expect(scopeWords(['*'])).toEqual(['Full access']);
    expect(scopeWords(['*', 'approvals:answer'])).toEqual(['Full access', 'Answers approvals']);
  });

  it('name no scope as the API does', () => {
    const all = AREAS.flatMap(([, scopes]) => scopes);
    expect(scopeWords([...all, 'events:emit']).filter((words) => /:\w/u.test(words))).toEqual([]);
  });
});
