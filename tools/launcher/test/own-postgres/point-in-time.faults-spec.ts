import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, signIn } from '@switchyard/testing';
import { openHome } from '../../home/home';
import { loadSecrets } from '../../home/secrets';
import { ArchivedPostgres } from './archived-postgres';
import { smallPlatform } from './small-platform';

// The steps of the operations' page, under "To a moment", with a server of its own. Two platforms are started for it, which
// takes minutes where other tests run beside it.
const folder = mkdtempSync(join(tmpdir(), 'point-in-time-'));
const home = openHome(join(folder, 'home'));
const secrets = loadSecrets(home, {});
const postgres = new ArchivedPostgres(home, secrets.databaseAdminPassword);
const platforms: ReturnType<typeof smallPlatform>[] = [];

afterAll(async () => {
  for (const platform of platforms) await platform.stop();
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The owner, at services that work on this server. */
async function ownerOn(name: string): Promise<Client> {
  const platform = smallPlatform(home, secrets, postgres.urlOf(name));
  platforms.push(platform);
  await platform.start();
  return signIn(new Client(platform.endpoints.gatewayUrl, null), secrets.ownerEmail, secrets.ownerPassword);
}

test('the database of a moment before the accident is had back, and nothing that came after it', async () => {
  await postgres.start();
  const owner = await ownerOn('primary');
  const make = (name: string): Promise<{ status: number }> => owner.post('/api-keys', { name });
  expect((await make('before the backup')).status).toBe(201);
  await postgres.backUp();
  expect((await make('after the backup')).status).toBe(201);
  const [{ now } = {}] = await postgres.ask('primary', 'select clock_timestamp()::text as now');
  await postgres.ask('primary', 'delete from key.api_keys');
  expect((await make('after the accident')).status).toBe(201);
  await postgres.ship();
  await platforms.pop()?.stop();
  await postgres.kill('primary');

  const startedAt = performance.now();
  await postgres.recoverTo(String(now));
  console.info(`recovered in ${Math.round(performance.now() - startedAt)} ms`);
  const again = await ownerOn('recovered');
  const { body } = (await again.get('/api-keys')) as unknown as { body: { data: { name: string }[] } };
  expect(body.data.map(({ name }) => name).sort()).toEqual(['after the backup', 'before the backup']);
}, 300_000);
