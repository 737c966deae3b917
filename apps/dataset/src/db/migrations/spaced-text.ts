import type { QueryRunner } from 'typeorm';
import { SPACELESS } from '../../domain/scripts-without-spaces';

/** Functions of text search: words of texts without spaces, and the search column of a record. */
export async function spacedText(runner: QueryRunner): Promise<void> {
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
  await rowWords(runner);
}

/**
 * `row_words` makes the search column of a row from the texts of its fields and their weights. A tsvector holds 1 MiB,
 * and the size of a text in it is known only afterwards: if all texts are too long, it retries with half of each. Text
 * beyond that is stored but not searchable.
 */
async function rowWords(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function row_words(language regconfig, texts text[], weights text, characters int)
    returns tsvector language plpgsql immutable parallel restricted as $$
    declare words tsvector;
    begin
      loop
        begin
          words := '';
          for i in 1 .. cardinality(texts) loop
            continue when texts[i] is null;
            words := words || setweight(
              to_tsvector(language, spaced(translate(left(texts[i], characters), '<>', '  '))),
              substr(weights, i, 1)::"char");
          end loop;
          return words;
        exception when program_limit_exceeded then
          characters := characters / 2;
        end;
      end loop;
    end $$`);
}
