import { changeBriefly, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `row_words` makes the search column of a row from the texts of its fields and their weights. A tsvector holds 1 MiB,
 * and the size of a text in it is known only afterwards: if all texts are too long, it retries with half of each. Text
 * beyond that is stored but not searchable.
 */
export class RowWords1700000000013 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await runner.query(`
        create or replace function row_words(language regconfig, texts text[], weights text, characters int)
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
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function row_words(regconfig, text[], text, int)');
  }
}
