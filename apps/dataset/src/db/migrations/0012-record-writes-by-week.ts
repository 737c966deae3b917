import { intoWeeks, OnlineMigration, outOfWeeks } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RECORD_WRITES } from '../record-writes.repository';

/** Writes of runs are partitioned by week. */
export class KeepRecordWritesByWeek1700000000012 extends OnlineMigration implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => intoWeeks(runner, RECORD_WRITES);
  down = (runner: QueryRunner): Promise<void> => outOfWeeks(runner, RECORD_WRITES);
}
