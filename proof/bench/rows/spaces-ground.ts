import { createHmac, randomBytes } from 'node:crypto';
import { makeKeyValue } from '@switchyard/contracts';
import { type PlatformState, until } from '@switchyard/testing';
import { type EventsScene, setEventsScene, subscribe } from './events-scene';

/** Rows of a Space in tables with a Space column. */
const TABLES = [
  'key.spaces',
  'key.members',
  'key.api_keys',
  'agent.agents',
  'agent.agent_versions',
  'session.sessions',
  'session.messages',
  'session.turns',
  'task.tasks',
  'task.executions',
  'task.execution_steps',
  'event_bus.applications',
  'event_bus.registered_events',
  'event_bus.subscriptions',
  'event_bus.emissions',
  'event_bus.deliveries',
  'relay.accounts',
  'relay.ledger',
];
const AGENT = { name: 'bench', model: 'sim-chat', systemPrompt: 'You are measured.' };
const SCHEDULES = 2;
const SESSIONS = 3;
const PIECE = 1_000;

/** The same new id for the same old one in all tables of a copy, so that rows still find each other. */
const idOfCopy = (id: string): string =>
  `overlay(overlay(md5(n || ':' || ${id}) placing '7' from 13 for 1) placing '8' from 17 for 1)::uuid`;

interface TableColumn {
  name: string;
  type: string;
}

export interface UsedSpace {
  scene: EventsScene;
  agentId: string;
  key: string;
}

/** A Space that is asked, and copies of another one that is as it was made. */
export interface SpacesGround {
  asked: UsedSpace;
  original: UsedSpace;
  /** A key of each copy. */
  keys: string[];
}

/** An agent, an application with an event and a subscription, and tasks with a schedule. */
async function prepareSpace(): Promise<UsedSpace> {
  const scene = await setEventsScene();
  const { owner } = scene.space;
  await scene.space.credit(1_000_000_000);
  await subscribe(scene);
  const agentId = ((await owner.post('/agents', AGENT)).body as { data: { id: string } }).data.id;
  for (let n = 0; n < SCHEDULES; n += 1)
    await owner.post('/tasks', {
      name: `Yearly ${n}`,
      type: 'SCHEDULE',
      active: true,
      schedule: { cron: '0 0 1 1 *' },
      steps: [{ id: 'one', type: 'transform', with: { n: 1 } }],
    });
  return { scene, agentId, key: (await scene.space.key()).credential };
}

/** The one that is copied has had some turns, all of which have ended. */
export async function prepareSpaces(turn: (key: string, agentId: string) => Promise<unknown>): Promise<SpacesGround> {
  const [request, original] = [await prepareSpace(), await prepareSpace()];
  for (let n = 0; n < SESSIONS; n += 1) await turn(original.key, original.agentId);
  await until(async () => {
    const [row] = await original.scene.platform.database.query<{ left: number }>(
      `select count(*)::int as left from session.turns where status <> 'COMPLETED'`,
    );
    return row?.left === 0;
  });
  return { asked: request, original, keys: [] };
}

async function columnsOf({ platform }: EventsScene, table: string): Promise<TableColumn[]> {
  return platform.database.query<TableColumn & Record<string, string>>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''`,
    [table],
  );
}

/** Copies the Space until there are so many. Written to the database: what making a Space costs is not asked here. */
export async function growSpaces(ground: SpacesGround, state: PlatformState, count: number): Promise<void> {
  const { original, keys } = ground;
  const { scene } = original;
  const { database } = scene.platform;
  for (let from = keys.length; from < count; from += PIECE) {
    const to = Math.min(from + PIECE, count);
    await copyUsers(scene, from, to);
    for (const table of TABLES) {
      const columns = await columnsOf(scene, table);
      const values = columns.map(({ name, type }) => (type === 'uuid' ? idOfCopy(name) : name));
      await database.query(
        `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
         select ${values.join(', ')} from ${table}, generate_series($2::int, $3::int - 1) n where space_id = $1`,
        [scene.space.id, from, to],
      );
    }
    await giveKeys(ground, state, from, to);
  }
  for (const table of [...TABLES, 'key.users', 'key.api_key_values']) await database.query(`vacuum (analyze) ${table}`);
  await database.query('checkpoint');
}

/** Users are of no Space. */
async function copyUsers({ platform, space }: EventsScene, from: number, to: number): Promise<void> {
  await platform.database.query(
    `insert into key.users (id, email, name, password_hash, home_space_id)
     select ${idOfCopy('u.id')}, n || '-' || u.email, u.name, u.password_hash, ${idOfCopy('m.space_id')}
       from key.users u join key.members m on m.user_id = u.id, generate_series($2::int, $3::int - 1) n where m.space_id = $1`,
    [space.id, from, to],
  );
}

/** A value for the USER key of each copy, kept as the service of keys keeps it. */
async function giveKeys(
  { original, keys }: SpacesGround,
  state: PlatformState,
  from: number,
  to: number,
): Promise<void> {
  const [version = '', pepper = ''] = state.secrets.keyPeppers.split(':');
  const values = Array.from({ length: to - from }, () => makeKeyValue(randomBytes));
  const digests = values.map((value) =>
    createHmac('sha256', Buffer.from(pepper, 'base64')).update(value).digest('hex'),
  );
  const { platform, space } = original.scene;
  await platform.database.query(
    `insert into key.api_key_values (space_id, id, key_id, digest, pepper_version)
     select ${idOfCopy('k.space_id')}, gen_random_uuid(), ${idOfCopy('k.id')}, decode(($4::text[])[n - $2 + 1], 'hex'), $5::int
       from (select space_id, id from key.api_keys where space_id = $1 and type = 'USER' limit 1) k, generate_series($2::int, $3::int - 1) n`,
    [space.id, from, to, digests, version],
  );
  keys.push(...values);
}
