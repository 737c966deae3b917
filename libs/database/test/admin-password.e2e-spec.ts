import { randomBytes } from 'node:crypto';
import { usePlatform } from '@switchyard/testing';
import { Client } from 'pg';
import { adoptPassword } from '../src/migrations/admin-password';

const platform = usePlatform();
// A separate role: the platform uses the administrator's.
const role = `admin_${randomBytes(6).toString('hex')}`;
const made = `it's "${randomBytes(12).toString('base64url')}"`;
let adminUrl: string;

beforeAll(async () => {
  await platform.database.query(`create role ${role} login password 'switchyard'`);
  const url = new URL(platform.state.databaseUrl);
  url.username = role;
  url.password = '';
  adminUrl = url.href;
});

const signsIn = async (password: string): Promise<boolean> => {
  const url = new URL(adminUrl);
  url.password = encodeURIComponent(password);
  const client = new Client({ connectionString: url.href });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

test('the default of before is changed to the password that was made, once', async () => {
  expect(await signsIn('switchyard')).toBe(true);
  const url = await adoptPassword(adminUrl, made, ['switchyard']);
  expect(decodeURIComponent(new URL(url).password)).toBe(made);
  expect([await signsIn('switchyard'), await signsIn(made)]).toEqual([false, true]);
  expect(await adoptPassword(adminUrl, made, ['switchyard'])).toBe(url);
});

test('a missing password is requested', async () => {
  await expect(adoptPassword(adminUrl, 'another', ['switchyard'])).rejects.toThrow('POSTGRES_PASSWORD');
});
