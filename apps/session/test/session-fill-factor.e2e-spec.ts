import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const SESSIONS = 1_000;
/** So many end a turn in one transaction, of each ten. */
const TOGETHER = 2;

const pagesOf = async (spaceId: string): Promise<Map<string, string>> => {
  const rows = await platform.database.query<{ id: string; page: string }>(
    'select id, split_part(ctid::text, $2, 1) as page from session.sessions where space_id = $1',
    [spaceId, ','],
  );
  return new Map(rows.map(({ id, page }) => [id, page]));
};

describe('a session whose turn ends', () => {
  it('changes no column of an index', async () => {
    const rows = await platform.database.query<{ column: string }>(
      `select distinct a.attname as column from pg_depend d
         join pg_index i on i.indexrelid = d.objid
         join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.refobjid = 'session.sessions'::regclass and d.refobjsubid > 0`,
    );
    const indexed = rows.map(({ column }) => column);
    expect(indexed).toContain('user_id');
    const changed = ['last_seq', 'message_count', 'completed_turns', 'updated_at', 'last_message_at'];
    expect(changed.filter((column) => indexed.includes(column))).toEqual([]);
  });

  it('stays on its page, also if neighbours on that page change with it', async () => {
    const spaceId = newId();
    await platform.database.query(
      `insert into session.sessions (space_id, id, user_id, agent_id, title, last_seq)
       select $1::uuid, gen_random_uuid(), $1::uuid, $1::uuid, 'What is new?', n from generate_series(1, $2::int) n`,
      [spaceId, SESSIONS],
    );
    const before = await pagesOf(spaceId);
    await platform.database.query(
      `update session.sessions set message_count = message_count + 1, completed_turns = completed_turns + 1
        where space_id = $1 and last_seq % 10 < $2`,
      [spaceId, TOGETHER],
    );
    const after = await pagesOf(spaceId);
    const moved = [...after].filter(([id, page]) => before.get(id) !== page);
    // Other tests may use the room of the first page and of the last.
    expect(moved.length).toBeLessThan(SESSIONS / 50);
    await platform.database.query('delete from session.sessions where space_id = $1', [spaceId]);
  });
});
