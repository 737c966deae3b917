import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Reply, usePlatform } from '@switchyard/testing';

const platform = usePlatform();

const logs = (): string => {
  const folder = path.join(platform.state.home, 'logs');
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
};

describe('secrets', () => {
  it('show once, where they are made, and nowhere else', async () => {
    const space = await platform.newSpace();
    const shown: Reply[] = [];
    const keep = async (reply: Promise<Reply>): Promise<Reply> => {
      const answer = await reply;
      shown.push(answer);
      return answer;
    };
    const password = `canary ${Math.random()} password`;
    const email = `canary-${Math.random()}@test.example`;
    await keep(space.owner.post(`/spaces/${space.id}/members`, { email, role: 'ADMIN', password }));
    const login = await platform.anonymous.post('/auth/login', { email, password });
    const { accessToken, refreshToken } = login.body.data;
    const person = platform.anonymous.as(`Bearer ${accessToken}`);
    const created = await person.post('/api-keys', { name: 'canary' });
    const { id, key } = created.body.data;
    const rotated = await person.post(`/api-keys/${id}/rotate`, { graceSeconds: 60 });
    const newKey = rotated.body.data.key;
    const { webhookSecret } = (await person.get(`/spaces/${space.id}`)).body.data;

    const holder = person.as(`ApiKey ${newKey}`);
    await keep(holder.get('/auth/me'));
    await keep(holder.get('/api-keys'));
    await keep(holder.get(`/api-keys/${id}`));
    await keep(holder.put(`/api-keys/${id}`, { name: 'renamed' }));
    await keep(holder.post('/api-keys/validate', { key: newKey }));
    await keep(holder.post('/api-keys/validate', { key: `${newKey.slice(0, 39)}!` }));
    await keep(holder.post('/api-keys/validate', { key: [newKey] }));
    await keep(holder.post('/api-keys', { name: newKey.repeat(6) }));
    await keep(holder.raw('POST', '/api/api-keys', `{"name": "${newKey}`));
    await keep(holder.get(`/api-keys/${newKey}`));
    await keep(holder.get('/nothing-here'));
    await keep(platform.anonymous.post('/auth/refresh', { refreshToken: `${refreshToken}x` }));
    await keep(platform.anonymous.post('/auth/login', { email, password: `${password}x` }));
    await keep(person.get('/spaces'));
    await keep(person.get(`/spaces/${space.id}/members`));
    await keep(person.get(`/spaces/${space.id}/security-events?limit=100`));
    await keep(person.post('/auth/logout', { refreshToken }));
    await keep(holder.post(`/api-keys/${id}/revoke`, {}));

    const digests = await platform.database.query<{ digest: Buffer }>(
      'select digest from key.api_key_values where key_id = $1',
      [id],
    );
    expect(digests).toHaveLength(2);
    const hashes = digests.flatMap(({ digest }) => [
      digest.toString('hex'),
      digest.toString('base64'),
      digest.toString('base64url'),
    ]);
    const answers = shown.map((reply) => JSON.stringify(reply)).join('\n');
    const written = logs();
    expect(written.length).toBeGreaterThan(100);
    for (const secret of [key, newKey, password, accessToken, refreshToken, webhookSecret, '$argon2id', ...hashes]) {
      expect(answers).not.toContain(secret);
      expect(written).not.toContain(secret);
    }
  });

  it('are not in the database in the clear', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const { webhookSecret } = (await space.owner.get(`/spaces/${space.id}`)).body.data;
    const tables = await platform.database.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables where table_schema = 'key' and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      for (const secret of [key.credential, webhookSecret, space.owner.identity.password, space.owner.credential]) {
        const hex = Buffer.from(String(secret)).toString('hex');
        const found = await platform.database.query(
          `select 1 from ${name} t where t::text like $1 or t::text like $2 limit 1`,
          [`%${String(secret)}%`, `%${hex}%`],
        );
        expect(found).toEqual([]);
      }
    }
  });
});
