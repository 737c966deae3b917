import { changeBriefly, globalTable, OnlineMigration } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By this id, a relay knows which files of a journal were written for this database. A copy of it has the same one. */
export class IdentityOfTheDatabase1700000006000 extends OnlineMigration implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, async () => {
      await globalTable(
        runner,
        'database_identity',
        'id int primary key check (id = 1), identity uuid not null default gen_random_uuid()',
      );
      await runner.query('insert into database_identity (id) values (1)');
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table database_identity');
  }
}
