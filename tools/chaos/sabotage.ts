import type { TestPlatform } from '@switchyard/testing';

/**
 * Takes one guard away, from the outside, to see that a run without it is found out. The product has no switch for
 * this: the database undoes what the guard writes.
 */
const controls = {
  /** Consumers forget what they have seen, and a run forgets which delivery it came from. */
  inbox: `
    create or replace function task.forget() returns trigger language plpgsql as $$ begin new.message_id := gen_random_uuid(); return new; end $$;
    create or replace trigger forget before insert on task.inbox for each row execute function task.forget();
    create or replace function task.forget_delivery() returns trigger language plpgsql as $$ begin new.delivery_id := gen_random_uuid(); return new; end $$;
    create or replace trigger forget_delivery before insert on task.executions for each row execute function task.forget_delivery()`,
  /** What was announced is sent once, and never again. */
  outbox: `
    create or replace function event_bus.once_only() returns trigger language plpgsql as $$ begin new.locked_until := 'infinity'; return new; end $$;
    create or replace trigger once_only before insert or update on event_bus.outbox for each row execute function event_bus.once_only()`,
  /** Keys of emissions mean nothing. */
  idempotency: `
    create or replace function event_bus.any_key() returns trigger language plpgsql as
      $$ begin new.idempotency_key := new.idempotency_key || ' ' || gen_random_uuid()::text; return new; end $$;
    create or replace trigger any_key before insert on event_bus.emissions for each row execute function event_bus.any_key()`,
} as const;

export type Control = keyof typeof controls;
export const CONTROLS = Object.keys(controls) as Control[];

export async function sabotage(platform: TestPlatform, control: Control): Promise<void> {
  await platform.database.query(controls[control]);
}
