import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('the logs of security events', () => {
  it('let go what is past its time, and nothing younger than a month', async () => {
    const { id } = await platform.newSpace();
    const insert = (days: number): Promise<unknown> =>
      platform.database.query(
        `insert into key.space_events (space_id, id, action, request_id, at)
         values ($1, gen_random_uuid(), 'test.old', 'x', now() - make_interval(days => $2))`,
        [id, days],
      );
    await insert(29);
    await insert(31);
    const drop = (op: string): Promise<unknown> =>
      platform.database.query(
        `delete from key.space_events where space_id = $1 and action = 'test.old' and at ${op} now() - interval '30 days'`,
        [id],
      );
    await expect(drop('>')).rejects.toThrow('only grows');
    await drop('<');
    const remaining = await platform.database.query(
      `select 1 from key.space_events where space_id = $1 and action = 'test.old'`,
      [id],
    );
    expect(remaining).toHaveLength(1);
  });
});
