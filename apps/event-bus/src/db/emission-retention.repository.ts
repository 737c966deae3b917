import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { sqlStates } from '@switchyard/kernel';
import { WAITING } from '../domain/emission-state';
import { idBound } from './envelopes.repository';

const DAY_MS = 86_400_000;

/** Emissions whose time is over, with all that hangs on them. */
@Injectable()
export class EmissionRetentionRepository {
  /** Emissions waiting for dispatch or a delivery are kept at any age. */
  async removeOld(tx: Tx, days: number, limit: number): Promise<number> {
    const rows = await tx.prepared(
      'forget-emissions',
      `with old as (
         select m.space_id, m.id from emissions m
          where m.emitted_at < (select clock_timestamp()) - make_interval(days => $1) and m.status not in ${sqlStates(WAITING)}
            and not exists (select 1 from deliveries d where d.space_id = m.space_id and d.envelope_id = m.id
                               and (d.status = 'PENDING' or d.created_at > (select clock_timestamp()) - make_interval(days => $1)))
            and not exists (select 1 from endpoint_deliveries d where d.space_id = m.space_id and d.envelope_id = m.id
                               and (d.status = 'PENDING' or d.created_at > (select clock_timestamp()) - make_interval(days => $1)))
          limit $2 for update skip locked),
       gone as (delete from deliveries d using old where d.space_id = old.space_id and d.envelope_id = old.id),
       sent as (delete from endpoint_deliveries d using old where d.space_id = old.space_id and d.envelope_id = old.id)
       delete from emissions m using old where m.space_id = old.space_id and m.id = old.id returning 1`,
      [days, limit],
    );
    return rows.length;
  }

  /** Events of applications that were uninstalled long ago, where nothing of theirs is left that could wake. */
  async removeOldEvents(tx: Tx, days: number, limit: number): Promise<number> {
    const rows = await tx.prepared(
      'forget-events',
      `delete from registered_events e using (
         select o.space_id, o.id from registered_events o
          where not o.active and o.updated_at < (select clock_timestamp()) - make_interval(days => $1)
            and not exists (select 1 from subscriptions s where s.space_id = o.space_id and s.event_id = o.id)
            and not exists (select 1 from emissions m where m.space_id = o.space_id and m.event = o.name and m.event_id = o.id)
          limit $2 for update skip locked) old
        where e.space_id = old.space_id and e.id = old.id returning 1`,
      [days, limit],
    );
    return rows.length;
  }

  /** A chain that began so long ago has ended. Its id tells when: the root's own, made when it was. */
  async removeOldBudgets(tx: Tx, days: number, limit: number): Promise<number> {
    const rows = await tx.prepared(
      'forget-root-budgets',
      `delete from root_budgets b using (select space_id, id from root_budgets where id < $1::uuid limit $2 for update skip locked) old
        where b.space_id = old.space_id and b.id = old.id returning 1`,
      [idBound(new Date().toISOString(), -days * DAY_MS), limit],
    );
    return rows.length;
  }
}
