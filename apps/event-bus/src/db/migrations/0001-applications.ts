import { tenantTable } from '@switchyard/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateApplications1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'applications',
      `identifier text not null,
       name text not null,
       version text not null,
       manifest jsonb not null,
       revision int not null default 1,
       system_key_id uuid,
       installed_by uuid,
       created_at timestamptz not null default clock_timestamp(),
       updated_at timestamptz not null default clock_timestamp(),
       unique (space_id, identifier)`,
    );
    // A row outlives its application: the same name registered again is the same event, and its subscriptions wake.
    await tenantTable(
      runner,
      'registered_events',
      `application_id uuid,
       app_identifier text not null,
       name text not null,
       description text,
       schema jsonb not null,
       schema_fingerprint text not null,
       emit_on jsonb,
       emit_dataset uuid,
       active boolean not null,
       subscriptions_revision int not null default 0,
       created_at timestamptz not null default clock_timestamp(),
       updated_at timestamptz not null default clock_timestamp(),
       unique (space_id, app_identifier, name)`,
    );
    await runner.query(
      'create index registered_events_dataset on registered_events (space_id, emit_dataset) where active and emit_dataset is not null',
    );
    await tenantTable(
      runner,
      'subscriptions',
      `event_id uuid not null,
       task_id uuid not null,
       filter jsonb,
       active boolean not null,
       origin text not null check (origin in ('DEFAULT', 'USER')),
       default_key text,
       brings_task boolean not null default false,
       created_by uuid,
       created_at timestamptz not null default clock_timestamp(),
       updated_at timestamptz not null default clock_timestamp(),
       foreign key (space_id, event_id) references registered_events (space_id, id)`,
    );
    await runner.query('create index subscriptions_event on subscriptions (space_id, event_id)');
    await runner.query('create index subscriptions_task on subscriptions (space_id, task_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table subscriptions, registered_events, applications');
  }
}
