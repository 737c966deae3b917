import { Injectable } from '@nestjs/common';
import type { LedgerRow, LedgerType } from '@switchyard/contracts';
import type { PageWindow, Tx } from '@switchyard/database';

const COLUMNS = 'id, type, tokens, balance_after, note, source, agent_id, model, key_id, user_id, turn_id, created_at';

export interface NewCredit {
  id: string;
  type: LedgerType;
  tokens: number;
  balanceAfter: number;
  note: string | null;
  userId: string | null;
  keyId: string | null;
}

@Injectable()
export class LedgerRepository {
  async add(tx: Tx, spaceId: string, credit: NewCredit): Promise<LedgerRow> {
    const row = await tx.one<LedgerRow>(
      `insert into ledger (space_id, id, type, tokens, balance_after, note, user_id, key_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
      [spaceId, credit.id, credit.type, credit.tokens, credit.balanceAfter, credit.note, credit.userId, credit.keyId],
    );
    if (!row) throw new Error('the ledger took an entry and did not return it');
    return row;
  }

  find(tx: Tx, spaceId: string, id: string): Promise<LedgerRow | null> {
    return tx.one<LedgerRow>(`select ${COLUMNS} from ledger where space_id = $1 and id = $2`, [spaceId, id]);
  }

  /**
   * Newest first, by `seq`, which counts the rows of all Spaces and leaves the service in no form: `after` is an id.
   */
  list(tx: Tx, spaceId: string, { after, take }: PageWindow<string>): Promise<LedgerRow[]> {
    return tx.query<LedgerRow>(
      `select ${COLUMNS} from ledger
       where space_id = $1 and ($3::uuid is null or seq < (select seq from ledger where space_id = $1 and id = $3))
       order by seq desc limit $2`,
      [spaceId, take, after],
    );
  }
}
