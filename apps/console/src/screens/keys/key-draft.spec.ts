/// <reference types="jest" />
import type { ApiKey } from '@switchyard/client';
import { emptyKey, keyChangesOf, keyDraftOf, newKeyOf } from './key-draft';

const key: ApiKey = {
  id: 'k',
  name: 'Nightly',
  description: null,
  type: 'USER',
  applicationId: null,
  last4: 'abcd',
  scopes: ['tasks:read', 'tasks:write'],
  limits: { dailyTokens: 1000, models: ['sim-chat'] },
  status: 'ACTIVE',
  expiresAt: '2026-12-24T09:30:00.000Z',
  lastUsedAt: null,
  createdBy: 'u',
  createdAt: '2026-01-01T00:00:00.000Z',
  revokedAt: null,
};
const before = keyDraftOf(key);

describe('a saved key', () => {
  it('sends nothing when nothing has changed, not even the hour of its expiry', () => {
    expect(keyChangesOf(before, before)).toEqual({});
  });

  it('sends the changed limit alone, and null for one that is emptied', () => {
    expect(keyChangesOf({ ...before, monthlyTokens: 5 }, before)).toEqual({ limits: { monthlyTokens: 5 } });
    expect(keyChangesOf({ ...before, dailyTokens: null, models: null }, before)).toEqual({
      limits: { dailyTokens: null, models: null },
    });
    expect(keyChangesOf({ ...before, models: [] }, before)).toEqual({ limits: { models: [] } });
  });

  it('sends fewer scopes, and null for what is taken away', () => {
    expect(keyChangesOf({ ...before, scopes: ['tasks:read'], expires: '' }, before)).toEqual({
      scopes: ['tasks:read'],
      expiresAt: null,
    });
  });
});

describe('a new key', () => {
  it('leaves out what is not given', () => {
    expect(newKeyOf({ ...emptyKey, name: 'n' })).toEqual({ name: 'n', scopes: ['agents:read', 'agents:call'] });
  });

  it('has the limits that are given, an empty list too', () => {
    const { limits, scopes } = newKeyOf({ ...emptyKey, hasAllScopes: true, requestsPerMinute: 0, agents: [] });
    expect({ limits, scopes }).toEqual({ limits: { requestsPerMinute: 0, agents: [] }, scopes: ['*'] });
  });
});
