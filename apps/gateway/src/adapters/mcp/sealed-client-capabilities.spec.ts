import { type Identity, makeCtx } from '@switchyard/contracts';
import { recallClient, rememberClient } from './sealed-client-capabilities';

const secret = new Uint8Array(32).fill(7);
const identity = (change: Partial<Identity> = {}): Identity =>
  makeCtx({
    spaceId: 'space',
    userId: 'user',
    role: 'MEMBER',
    scopes: [],
    credentialId: 'key',
    credentialType: 'api_key',
    applicationId: null,
    ...change,
  });
const initialize = { protocolVersion: '2025-11-25', capabilities: { elicitation: {}, experimental: { x: {} } } };

test('each replica reads the capabilities that the client has declared', () => {
  const id = rememberClient(secret, identity(), initialize);
  expect(id).toMatch(/^[\x21-\x7e]+$/);
  expect(recallClient(secret, identity(), id ?? '')).toEqual({
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
  });
});

test.each([
  ['another Space', { spaceId: 'other' }],
  ['another person', { userId: 'other' }],
  ['another key', { credentialId: 'other' }],
])('%s cannot use it', (_who, change) => {
  const id = rememberClient(secret, identity(), initialize) ?? '';
  expect(recallClient(secret, identity(change), id)).toBeNull();
});

test.each(['', 'x', 'x.y', '..', 'eyJhIjoxfQ.'])('%j identifies no client', (id) => {
  expect(recallClient(secret, identity(), id)).toBeNull();
});

test('a changed id identifies no client', () => {
  const id = rememberClient(secret, identity(), initialize) ?? '';
  expect(recallClient(secret, identity(), `A${id.slice(1)}`)).toBeNull();
});

test.each([
  ['that can be asked nothing', { protocolVersion: '2025-11-25', capabilities: { experimental: {} } }],
  ['that says nothing', undefined],
  ['that says too much', { protocolVersion: '2025-11-25', capabilities: { elicitation: { x: 'x'.repeat(4000) } } }],
])('a client %s has no session', (_what, params) => {
  expect(rememberClient(secret, identity(), params)).toBeNull();
});
