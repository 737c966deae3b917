import { type Client, signIn, type TestSpace, until } from '@switchyard/testing';
import { agents, sessions, turns } from './agent-story';
import { externalIssuer } from './issuer-story';
import { operators, otherProtocols } from './protocol-story';
import type { ExampleRecorder } from './recorder';
import { dataOf, type StoryContext } from './story-context';
import { datasets, events, jobs, tasks } from './work-story';

/** Calls every operation of the API once, as one story: a shop whose agent answers questions about its products. */
export async function runStory({ platform, recorder }: Pick<StoryContext, 'platform' | 'recorder'>): Promise<void> {
  const space = await platform.newSpace('Shop');
  const { email, password } = platform.state.owner;
  const operator = await signIn(platform.anonymous, email, password);
  const scene = { platform, space, operator, recorder, ada: await addAda(space, recorder) };
  await publicRoutes(scene);
  await accounts(scene);
  await externalIssuer(scene);
  const agentId = await agents(scene);
  const sessionId = await turns(scene, agentId);
  await sessions(scene, agentId, sessionId);
  await keys(scene);
  await natsAccounts(scene);
  const datasetId = await datasets(scene);
  const taskId = await tasks(scene);
  await events(scene, taskId);
  await jobs(scene, agentId);
  await activity(scene);
  await usage(scene);
  await secrets(scene);
  await otherProtocols(scene, agentId);
  await operators(scene);
  await removals(scene, { agentId, sessionId, datasetId, taskId });
}

async function addAda({ id, owner }: TestSpace, recorder: ExampleRecorder): Promise<Client> {
  const address = `ada-${id}@example.com`;
  const invited = dataOf(
    await recorder.call(
      owner,
      'POST /api/spaces/{spaceId}/members',
      { spaceId: id },
      { email: address, role: 'MEMBER' },
    ),
  ) as unknown as { invitation: { token: string } };
  const password = 'correct horse battery';
  const { token } = invited.invitation;
  await recorder.call(owner.as(null), 'POST /api/auth/invitations/accept', {}, { token, password });
  const signedIn = await recorder.call(owner.as(null), 'POST /api/auth/login', {}, { email: address, password });
  const { accessToken, user } = dataOf(signedIn) as unknown as { accessToken: string; user: { id: string } };
  return owner.as(`Bearer ${accessToken}`, { userId: user.id, email: address, password });
}

async function publicRoutes({ space, recorder }: StoryContext): Promise<void> {
  const anonymous = space.owner.as(null);
  await recorder.call(anonymous, 'GET /.well-known/jwks.json');
  await recorder.call(anonymous, 'GET /.well-known/oauth-protected-resource');
  await recorder.beginning(anonymous, 'GET /openapi.json', ['openapi', 'info', 'servers']);
  await recorder.call(anonymous, 'GET /health/live');
  await recorder.call(anonymous, 'GET /health/ready');
}

async function accounts({ space, ada, recorder }: StoryContext): Promise<void> {
  const { owner, id: spaceId } = space;
  const anonymous = owner.as(null);
  const { email, password } = ada.identity;
  await recorder.call(ada, 'GET /api/auth/me');
  const newPassword = 'staple battery horse';
  await recorder.call(ada, 'POST /api/auth/password', {}, { currentPassword: password, newPassword });
  const again = dataOf(await owner.as(null).post('/auth/login', { email, password: newPassword }));
  const renewed = dataOf(
    await recorder.call(anonymous, 'POST /api/auth/refresh', {}, { refreshToken: again['refreshToken'] }),
  );
  await recorder.call(owner, 'POST /api/auth/switch-space', {}, { spaceId });
  const leaving = owner.as(`Bearer ${renewed['accessToken'] ?? ''}`);
  await recorder.call(leaving, 'POST /api/auth/logout', {}, { refreshToken: renewed['refreshToken'] });
  await recorder.call(owner, 'GET /api/spaces');
  await recorder.call(owner, 'GET /api/spaces/{spaceId}', { spaceId });
  const settings = { dailyTokenCap: 1_000_000, taskConcurrency: 10 };
  await recorder.call(owner, 'PATCH /api/spaces/{spaceId}', { spaceId }, { name: 'Shop', settings });
  await recorder.call(owner, 'GET /api/spaces/{spaceId}/members', { spaceId });
  const member = { spaceId, userId: ada.identity.userId ?? '' };
  await recorder.call(owner, 'PATCH /api/spaces/{spaceId}/members/{userId}', member, { role: 'VIEWER' });
  await recorder.call(owner, 'POST /api/spaces/{spaceId}/webhook-secret/rotate', { spaceId }, {});
}

async function keys({ space, recorder }: StoryContext): Promise<void> {
  const { owner } = space;
  const body = { name: 'Website', scopes: ['agents:call'], limits: { dailyTokens: 100_000 } };
  const created = dataOf(await recorder.call(owner, 'POST /api/api-keys', {}, body));
  const keyId = created['id'] ?? '';
  await recorder.call(owner, 'GET /api/api-keys');
  await recorder.call(owner, 'GET /api/api-keys/{keyId}', { keyId });
  await recorder.call(owner, 'PUT /api/api-keys/{keyId}', { keyId }, { name: 'Shop website' });
  await recorder.call(owner, 'GET /api/api-keys/{keyId}/usage', { keyId });
  await recorder.call(owner, 'POST /api/api-keys/validate', {}, { key: created['key'] });
  await recorder.call(owner, 'POST /api/api-keys/{keyId}/rotate', { keyId }, { graceSeconds: 3600 });
  await recorder.call(owner, 'POST /api/api-keys/{keyId}/revoke', { keyId }, {});
}

async function natsAccounts({ space, operator, recorder }: StoryContext): Promise<void> {
  const { owner, id: spaceId } = space;
  const body = { name: 'billing', scopes: ['events:emit', 'agents:call'], limits: { applications: ['shop'] } };
  const created = dataOf(await recorder.call(owner, 'POST /api/spaces/{spaceId}/nats-accounts', { spaceId }, body));
  const ids = { spaceId, accountId: created['id'] ?? '' };
  const listed = await recorder.call(operator, 'GET /api/operator/nats-accounts');
  const { revision } = listed.body as unknown as { revision: number };
  await recorder.call(operator, 'POST /api/operator/nats-accounts/loaded', {}, { revision });
  const path = '/api/spaces/{spaceId}/nats-accounts/{accountId}';
  await recorder.call(owner, 'GET /api/spaces/{spaceId}/nats-accounts', { spaceId });
  await recorder.call(owner, `GET ${path}`, ids);
  await recorder.call(owner, `PATCH ${path}`, ids, { limits: { requestsPerMinute: 600 } });
  await recorder.call(owner, `GET ${path}/usage`, ids);
  await recorder.call(owner, `POST ${path}/rotate`, ids, { graceSeconds: 3600 });
  await recorder.call(owner, `POST ${path}/revoke`, ids, {});
}

async function activity({ space, recorder }: StoryContext): Promise<void> {
  const { owner } = space;
  await Promise.all([
    recorder.stream(owner, 'GET /api/activity/stream', {}, undefined, 1),
    until(async () => {
      await owner
        .post('/tasks', { name: 'Notice', steps: [{ id: 'note', type: 'transform', with: {} }] })
        .then(async (task) => owner.post(`/tasks/${dataOf(task)['id'] ?? ''}/execute`, {}));
      return 'GET /api/activity/stream' in recorder.examples;
    }),
  ]);
  const listed = await recorder.call(owner, 'GET /api/activity');
  const [row] = (listed.body as unknown as { data: { kind: string; id: string }[] }).data;
  await recorder.call(owner, 'GET /api/activity/counts');
  await recorder.call(owner, 'GET /api/activity/causes/{kind}/{id}', { kind: row?.kind ?? '', id: row?.id ?? '' });
}

async function usage({ space, recorder }: StoryContext): Promise<void> {
  const { owner } = space;
  await recorder.call(owner, 'GET /api/usage', {}, undefined, '?groupBy=model');
  await recorder.call(owner, 'GET /api/usage/balance');
  await recorder.call(owner, 'GET /api/usage/ledger');
}

async function secrets({ space, recorder }: StoryContext): Promise<void> {
  const { owner } = space;
  const body = {
    name: 'CRM_TOKEN',
    value: 'example-value',
    description: 'Token of the CRM',
    hosts: ['crm.example.com'],
  };
  const secretId = dataOf(await recorder.call(owner, 'POST /api/secrets', {}, body))['id'] ?? '';
  await recorder.call(owner, 'GET /api/secrets');
  await recorder.call(owner, 'GET /api/secrets/{secretId}', { secretId });
  await recorder.call(owner, 'PUT /api/secrets/{secretId}', { secretId }, { value: 'new-example-value' });
  await recorder.call(owner, 'DELETE /api/secrets/{secretId}', { secretId });
  await recorder.call(owner, 'GET /api/spaces/{spaceId}/security-events', { spaceId: space.id });
}

async function removals({ space, ada, recorder }: StoryContext, ids: Record<string, string>): Promise<void> {
  const { owner, id: spaceId } = space;
  await recorder.call(owner, 'DELETE /api/agents/sessions/{sessionId}', ids);
  await recorder.call(owner, 'DELETE /api/agents/{agentId}', ids);
  await recorder.call(owner, 'DELETE /api/tasks/{taskId}', ids);
  await recorder.call(owner, 'DELETE /api/datasets/{datasetId}', ids);
  const member = { spaceId, userId: ada.identity.userId ?? '' };
  await recorder.call(owner, 'DELETE /api/spaces/{spaceId}/members/{userId}', member);
}
