import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const PASSWORD = 'a quite long password';

describe('the bounds of one Space and person', () => {
  it('refuse the member, invited or not, that is one too many', async () => {
    const { id, owner } = await platform.newSpace();
    await platform.database.query(
      `insert into key.invitations (space_id, id, email, role, expires_at)
       select $1, gen_random_uuid(), 'x' || n || '@test.example', 'VIEWER', now() + interval '1 hour'
       from generate_series(1, 997) n`,
      [id],
    );
    const add = (email: string, password?: string): Promise<{ status: number; body: { code: string } }> =>
      owner.post(`/spaces/${id}/members`, { email, role: 'VIEWER', password });
    expect((await add('last@test.example')).status).toBe(201);
    for (const password of [undefined, PASSWORD]) {
      const reply = await add('one-too-many@test.example', password);
      expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    }
  });

  it('refuse the active key that is one too many', async () => {
    const { id, owner } = await platform.newSpace();
    await platform.database.query(
      `insert into key.api_keys (space_id, id, name, type, user_id, last4, scopes)
       select $1, gen_random_uuid(), 'x', 'USER', $2, 'abcd', '{*}' from generate_series(1, 499)`,
      [id, owner.identity.userId],
    );
    const last = await owner.post('/api-keys', { name: 'last' });
    expect(last.status).toBe(201);
    const reply = await owner.post('/api-keys', { name: 'one too many' });
    expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    await owner.post(`/api-keys/${last.body.data.id}/revoke`, {});
    expect((await owner.post('/api-keys', { name: 'again' })).status).toBe(201);
  });

  it('end the oldest sign-in when there is one too many', async () => {
    const space = await platform.newSpace();
    const member = await space.member();
    const { email, password, userId } = member.identity;
    await platform.database.query(
      `insert into key.sign_ins (space_id, id, user_id, ends_at, created_at)
       select $1, gen_random_uuid(), $2, now() + interval '1 day', now() + interval '1 minute'
       from generate_series(1, 199)`,
      [space.id, userId],
    );
    expect((await member.get('/auth/me')).status).toBe(200);
    expect((await platform.anonymous.post('/auth/login', { email, password, spaceId: space.id })).status).toBe(200);
    expect((await member.get('/auth/me')).status).toBe(401);
  });
});
