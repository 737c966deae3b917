import { randomBytes } from 'node:crypto';
import { isMigrationConnected, migrate, prepareDatabase } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';
import type { MigrationInterface } from 'typeorm';

const platform = usePlatform();
const name = `session_${randomBytes(6).toString('hex')}`;
const url = (): string => {
  const admin = new URL(platform.state.databaseUrl);
  admin.pathname = `/${name}`;
  return admin.href;
};
/** A service of the platform: it may read little of other sessions. */
const service = (): string => {
  const login = new URL(platform.state.databaseLogins['key'] ?? '');
  login.pathname = `/${name}`;
  return login.href;
};

const seen: boolean[] = [];

class LookAtSessions1700000000001 implements MigrationInterface {
  async up(): Promise<void> {
    seen.push(await isMigrationConnected(service()));
  }
  down = (): Promise<void> => Promise.resolve();
}

beforeEach(async () => {
  await platform.database.query(`create database ${name}`);
});

afterEach(async () => {
  await platform.database.query(`drop database ${name} with (force)`);
});

test('a service sees that a migration is running, and that none is', async () => {
  await prepareDatabase(url(), [{ service: 'trial', password: 'unused' }]);
  expect(await isMigrationConnected(service())).toBe(false);
  await migrate(url(), { service: 'trial', migrations: [LookAtSessions1700000000001] });
  expect(seen).toEqual([true]);
  expect(await isMigrationConnected(service())).toBe(false);
});
