import type { InteractionForm, InteractionStatus } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import type { TurnRow } from './turns.repository';

export interface InteractionRow {
  id: string;
  spaceId: string;
  turnKey: string;
  turnId: string;
  sessionId: string;
  agentId: string;
  userId: string;
  form: InteractionForm;
  status: InteractionStatus;
  selectedOptionIds: string[] | null;
  otherText: string | null;
  createdAt: string;
  answeredAt: string | null;
  expiresAt: string;
  overdue: boolean;
}

export interface InteractionFilter {
  userId: string | null;
  agentId: string | null;
  sessionId: string | null;
  before: string | null;
  limit: number;
}

const COLUMNS = `id, space_id, turn_key, turn_id, session_id, agent_id, user_id, form, status, selected_option_ids, other_text,
  created_at, answered_at, expires_at, expires_at <= clock_timestamp() as overdue`;

export const interactionsRepository = {
  insert: (
    tx: Tx,
    turn: TurnRow & { sessionId: string },
    interaction: { id: string; form: InteractionForm; status: 'PENDING' | 'CANCELLED'; expiryDays: number },
  ): Promise<InteractionRow | null> =>
    tx.one<InteractionRow>(
      `insert into interactions (space_id, id, turn_key, turn_id, session_id, agent_id, user_id, form, status, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10)) returning ${COLUMNS}`,
      [
        turn.spaceId,
        interaction.id,
        turn.id,
        turn.turnId,
        turn.sessionId,
        turn.agentId,
        turn.userId,
        JSON.stringify(interaction.form),
        interaction.status,
        interaction.expiryDays * 86_400,
      ],
    ),

  find: (tx: Tx, spaceId: string, turnKey: string, id: string): Promise<InteractionRow | null> =>
    tx.one<InteractionRow>(`select ${COLUMNS} from interactions where space_id = $1 and turn_key = $2 and id = $3`, [
      spaceId,
      turnKey,
      id,
    ]),

  findPending: (tx: Tx, spaceId: string, turnKey: string): Promise<InteractionRow | null> =>
    tx.one<InteractionRow>(
      `select ${COLUMNS} from interactions where space_id = $1 and turn_key = $2 and status = 'PENDING'`,
      [spaceId, turnKey],
    ),

  answer: (
    tx: Tx,
    spaceId: string,
    id: string,
    answer: { selectedOptionIds: string[]; otherText: string | null },
  ): Promise<InteractionRow | null> =>
    tx.one<InteractionRow>(
      `update interactions set status = 'ANSWERED', selected_option_ids = $3, other_text = $4, answered_at = clock_timestamp()
       where space_id = $1 and id = $2 and status = 'PENDING' returning ${COLUMNS}`,
      [spaceId, id, JSON.stringify(answer.selectedOptionIds), answer.otherText],
    ),

  cancelOf: async (tx: Tx, spaceId: string, turnKey: string): Promise<void> => {
    await tx.query(
      `update interactions set status = 'CANCELLED' where space_id = $1 and turn_key = $2 and status = 'PENDING'`,
      [spaceId, turnKey],
    );
  },

  listPending: (tx: Tx, spaceId: string, filter: InteractionFilter): Promise<InteractionRow[]> =>
    tx.query<InteractionRow>(
      `select ${COLUMNS} from interactions
       where space_id = $1 and status = 'PENDING' and expires_at > clock_timestamp()
         and ($2::uuid is null or user_id = $2) and ($3::uuid is null or agent_id = $3)
         and ($4::uuid is null or session_id = $4) and ($5::uuid is null or id < $5)
       order by id desc limit $6`,
      [spaceId, filter.userId, filter.agentId, filter.sessionId, filter.before, filter.limit],
    ),

  /** Sees every Space. The turn comes first, as everywhere: who answers holds it before the interaction. */
  listOverdue: (tx: Tx, limit: number): Promise<{ spaceId: string; turnKey: string; id: string }[]> =>
    tx.query(
      `select i.space_id, i.turn_key, i.id from interactions i join turns t on t.space_id = i.space_id and t.id = i.turn_key
       where i.status = 'PENDING' and i.expires_at <= clock_timestamp() limit $1 for update of t skip locked`,
      [limit],
    ),

  expire: (tx: Tx, spaceId: string, id: string): Promise<number> =>
    tx.count(`update interactions set status = 'EXPIRED' where space_id = $1 and id = $2 and status = 'PENDING'`, [
      spaceId,
      id,
    ]),
};
