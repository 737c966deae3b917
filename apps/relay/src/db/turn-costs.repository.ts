import { Injectable } from '@nestjs/common';
import type { TurnCost } from '@switchyard/contracts';
import type { Read } from '@switchyard/database';

const CALLS = `from unnest($2::uuid[]) as wanted (id) join ledger l on l.space_id = $1 and l.turn_id = wanted.id and l.type = 'SETTLEMENT'`;

/** Cost of model calls by turn. */
@Injectable()
export class TurnCostsRepository {
  ofTurns(spaceId: string, turnIds: readonly string[]): Read {
    return {
      name: 'costs-of-turns',
      params: [spaceId, turnIds],
      sql: `select l.turn_id, l.user_id, sum(-l.tokens)::bigint as tokens,
                   coalesce(sum(l.prompt_tokens), 0)::bigint as prompt_tokens, coalesce(sum(l.cost), 0)::float8 as cost
              from unnest($2::uuid[]) as wanted (id) join ledger l on l.space_id = $1 and l.turn_id = wanted.id and l.type = 'SETTLEMENT'
             group by l.turn_id, l.user_id`,
    };
  }

  /** Each call of these turns, the oldest first, and the sum of all of them. */
  callsOfTurns(spaceId: string, turnIds: readonly string[], limit: number): Read[] {
    return [
      {
        name: 'calls-of-turns',
        params: [spaceId, turnIds, limit],
        sql: `select l.id, l.turn_id, l.user_id, l.model, l.outcome, l.created_at, -l.tokens as tokens, coalesce(l.cost, 0)::float8 as cost
                ${CALLS} order by l.seq limit $3`,
      },
      this.sumOfTurns(spaceId, turnIds),
    ];
  }

  sumOfTurns(spaceId: string, turnIds: readonly string[]): Read {
    return {
      name: 'sum-of-turns',
      params: [spaceId, turnIds],
      sql: `select coalesce(sum(-l.tokens), 0)::bigint as tokens, coalesce(sum(l.cost), 0)::float8 as cost ${CALLS}`,
    };
  }

  rows(answers: Record<string, unknown>[][]): TurnCost[] {
    return (answers[0] ?? []) as unknown as TurnCost[];
  }
}
