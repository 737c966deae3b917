import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';

/**
 * Finds the makers of Spaces that have none on record: those of before, and those that a replica of the version before
 * still makes. The log of security events says who made a Space; where it is gone, its longest OWNER counts.
 */
@Injectable()
export class SpaceCreatorsRepository {
  /** How many Spaces were looked at. */
  async findSome(tx: Tx, limit: number): Promise<number> {
    return tx.count(
      `with without_maker as (
         select s.space_id, s.created_at, coalesce(
           (select e.actor_user_id from space_events e
             where e.space_id = s.space_id and e.action = 'space.created' order by e.at limit 1),
           (select m.user_id from members m where m.space_id = s.space_id and m.role = 'OWNER'
             order by m.created_at, m.user_id limit 1)) as maker
         from spaces s where s.made_by_kind is null order by s.created_at limit $1 for update of s skip locked
       ), judged as (
         select s.*, case when s.maker is null or u.operator then 'operator' else 'user' end as kind
         from without_maker s left join users u on u.id = s.maker
       ), noted as (
         insert into space_makers (space_id, user_id, made_at)
         select space_id, maker, created_at from judged where kind = 'user' on conflict do nothing
       ), counted as (
         insert into space_totals (space_id) select space_id from judged on conflict do nothing
       )
       update spaces s set made_by = j.maker, made_by_kind = j.kind from judged j where s.space_id = j.space_id`,
      [limit],
    );
  }
}
