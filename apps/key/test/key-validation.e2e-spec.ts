import { randomBytes } from 'node:crypto';
import { makeKeyValue } from '@switchyard/contracts';
import { type Client, type Reply, usePlatform } from '@switchyard/testing';
import { expire } from './expire';

const platform = usePlatform();
const validate = (client: Client, key: unknown): Promise<Reply> => client.post('/api-keys/validate', { key });

describe('POST /api-keys/validate', () => {
  it('tells what an active key of the own Space may do', async () => {
    const space = await platform.newSpace();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const key = await space.key({ scopes: ['agents:call'], expiresAt });
    const { status, body } = await validate(space.owner, key.credential);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      valid: true,
      keyId: key.identity.keyId,
      type: 'USER',
      scopes: ['agents:call'],
      expiresAt,
    });
    expect(JSON.stringify(body)).not.toContain(key.credential);
  });

  it('says the same of every other key', async () => {
    const space = await platform.newSpace();
    const revoked = await space.key();
    await space.owner.post(`/api-keys/${revoked.identity.keyId ?? ''}/revoke`, {});
    const expired = await space.key();
    await expire(platform, expired);
    const rotated = await space.key();
    await space.owner.post(`/api-keys/${rotated.identity.keyId ?? ''}/rotate`, {});
    const removed = await space.member('MEMBER');
    const orphaned = await space.key({}, removed);
    await space.owner.delete(`/spaces/${space.id}/members/${removed.identity.userId ?? ''}`);
    const foreign = await (await platform.newSpace()).key();
    const values = [revoked, expired, rotated, orphaned, foreign].map((client) => client.credential);
    const hostile = ['a\u0000', '\ud800', 'é'.repeat(40), 'x'.repeat(2 * 1024 * 1024)];
    const junk = [
      ...hostile,
      makeKeyValue(randomBytes),
      'a'.repeat(40),
      '',
      'x',
      ' ',
      'a'.repeat(5000),
      space.owner.credential,
    ];
    for (const value of [...values, ...junk]) {
      const { status, body } = await validate(space.owner, value);
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: true, message: 'Checked.', data: { valid: false } },
      });
    }
  });

  it('takes an old value in its grace for what it is', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await space.owner.post(`/api-keys/${key.identity.keyId ?? ''}/rotate`, { graceSeconds: 600 });
    expect((await validate(space.owner, key.credential)).body.data.valid).toBe(true);
  });

  it('answers 30 a minute to each caller', async () => {
    const space = await platform.newSpace();
    const first = await space.key({ scopes: ['keys:read'] });
    const second = await space.key({ scopes: ['keys:read'] });
    for (let i = 0; i < 30; i += 1) expect((await validate(first, 'x')).status).toBe(200);
    const over = await validate(first, 'x');
    expect([over.status, over.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect((await validate(second, 'x')).status).toBe(200);
    expect((await validate(space.owner, 'x')).status).toBe(200);
  });

  it('does not let parallel calls past the limit', async () => {
    const caller = await (await platform.newSpace()).key();
    const replies = await Promise.all(Array.from({ length: 50 }, () => validate(caller, 'x')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
  });

  it('is not a use of the key', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await validate(space.owner, key.credential);
    expect((await space.owner.get(`/api-keys/${key.identity.keyId ?? ''}`)).body.data.lastUsedAt).toBeNull();
  });

  it('needs a credential with keys:read, and a key to check', async () => {
    const space = await platform.newSpace();
    expect((await validate(platform.anonymous, 'x')).status).toBe(401);
    expect((await validate(await space.key({ scopes: ['agents:read'] }), 'x')).status).toBe(403);
    expect((await validate(await space.member('VIEWER'), 'x')).status).toBe(200);
    for (const body of [{}, { key: 1 }, { key: null }, { key: 'x', more: 1 }]) {
      expect((await space.owner.post('/api-keys/validate', body)).status).toBe(400);
    }
  });
});
