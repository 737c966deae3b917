import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SPACELESS } from '../../domain/scripts-without-spaces';

/** `spaced` makes words of texts that are written without spaces: every pair of neighbours, then every character. */
export class SpacedText1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function paired(run text) returns text language sql immutable parallel safe as $$
        select coalesce(string_agg(c || after, ' ' order by place) filter (where after is not null), run)
        from (select c, place, lead(c) over (order by place) as after
              from unnest(string_to_array(run, null)) with ordinality as s(c, place)) t $$`);
    await runner.query(`
      create function spaced_runs(t text) returns text language sql immutable parallel safe as $$
        select string_agg(case when m[1] is null then m[2] else ' ' || paired(m[1]) || ' ' end, '' order by place)
          || ' ' || coalesce((select string_agg(c, ' ') from unnest(string_to_array(regexp_replace(t, '[^${SPACELESS}]', '', 'g'), null)) c), '')
        from regexp_matches(t, '([${SPACELESS}]+)|([^${SPACELESS}]+)', 'g') with ordinality as s(m, place) $$`);
    await runner.query(`
      create function spaced(t text) returns text language sql immutable parallel safe as
      $$ select case when t ~ '[${SPACELESS}]' then spaced_runs(t) else t end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function spaced(text), spaced_runs(text), paired(text)');
  }
}
