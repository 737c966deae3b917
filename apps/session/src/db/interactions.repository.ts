import { Injectable } from '@nestjs/common';
import type {
  ApprovalCall,
  ApprovalRequest,
  Approver,
  InteractionForm,
  InteractionPurpose,
  InteractionStatus,
} from '@switchyard/contracts';
import {
  LATE_SPACES_AT_ONCE,
  clockRuns,
  type PageWindow,
  type Read,
  type Tx,
  type Weighed,
  lightPage,
} from '@switchyard/database';
import { sqlStatesByKey } from '@switchyard/kernel';
import type { TurnRow } from './turns.repository';

const EXPIRED = `expires_at <= (select clock_timestamp()) and ${clockRuns()}`;
const IS_OVERDUE = `i.status = 'PENDING' and i.expires_at <= (select clock_timestamp()) and ${clockRuns('i.space_id')}`;

export interface InteractionRow {
  id: string;
  spaceId: string;
  turnKey: string;
  turnId: string;
  sessionId: string;
  agentId: string;
  userId: string;
  form: InteractionForm;
  purpose: InteractionPurpose;
  /** Of an approval: who may answer, and what would run. */
  approver: Approver | null;
  calls: ApprovalCall[] | null;
  /** The user of the turn is a NATS account. */
  ofAccount: boolean;
  status: InteractionStatus;
  selectedOptionIds: string[] | null;
  otherText: string | null;
  answeredBy: string | null;
  createdAt: string;
  answeredAt: string | null;
  expiresAt: string;
  overdue: boolean;
}

/** With what an approval was answered: the rest of the security event is in the interaction. */
export interface AnsweredWith {
  credentialId: string | null;
  requestId: string;
}

export interface AnsweredApproval extends InteractionRow {
  answeredBy: string;
  unrecorded: AnsweredWith;
}

export interface InboxRow extends InteractionRow {
  sessionTitle: string | null;
}

export interface InboxFilter extends PageWindow<string> {
  userId: string;
  isAdmin: boolean;
  isMember: boolean;
  status: InteractionStatus | null;
  purpose: InteractionPurpose | null;
  agentId: string | null;
  sessionId: string | null;
}

export interface InteractionFilter extends PageWindow<string> {
  userId: string | null;
  agentId: string | null;
  sessionId: string | null;
}

export const COLUMNS = `id, space_id, turn_key, turn_id, session_id, agent_id, user_id, form, purpose, approver, calls, status, selected_option_ids, other_text,
  of_account, created_at, answered_by, answered_at, expires_at, (${EXPIRED}) as overdue`;

/** Columns that can be long: the question, and the arguments of calls waiting for approval. */
const LONG = ['form', 'calls'];

@Injectable()
export class InteractionsRepository {
  insert(
    tx: Tx,
    turn: TurnRow & { sessionId: string },
    interaction: {
      id: string;
      form: InteractionForm;
      approval: ApprovalRequest | null;
      status: 'PENDING' | 'CANCELLED';
      expiryDays: number;
    },
  ): Promise<InteractionRow | null> {
    return tx.one<InteractionRow>(
      `insert into interactions (space_id, id, turn_key, turn_id, session_id, agent_id, user_id, form, status, expires_at,
         purpose, approver, calls, of_account)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11, $12, $13, $14) returning ${COLUMNS}`,
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
        interaction.approval ? 'approval' : 'question',
        interaction.approval?.by ?? null,
        interaction.approval ? JSON.stringify(interaction.approval.calls) : null,
        turn.identity.credentialType === 'nats_account',
      ],
    );
  }

  find(tx: Tx, spaceId: string, turnKey: string, id: string): Promise<InteractionRow | null> {
    return tx.one<InteractionRow>(
      `select ${COLUMNS} from interactions where space_id = $1 and turn_key = $2 and id = $3`,
      [spaceId, turnKey, id],
    );
  }

  findPending(tx: Tx, spaceId: string, turnKey: string): Promise<InteractionRow | null> {
    return tx.one<InteractionRow>(
      `select ${COLUMNS} from interactions where space_id = $1 and turn_key = $2 and status = 'PENDING'`,
      [spaceId, turnKey],
    );
  }

  /** The newest one of a turn that was answered or has expired: what a turn that is taken over goes on from. */
  findSettled(tx: Tx, spaceId: string, turnKey: string): Promise<InteractionRow | null> {
    return tx.one<InteractionRow>(
      `select ${COLUMNS} from interactions where space_id = $1 and turn_key = $2 and status in ('ANSWERED', 'EXPIRED')
       order by id desc limit 1`,
      [spaceId, turnKey],
    );
  }

  answer(
    tx: Tx,
    spaceId: string,
    id: string,
    answer: { selectedOptionIds: string[]; otherText: string | null; by: string; with: AnsweredWith },
  ): Promise<AnsweredApproval | null> {
    return tx.one<AnsweredApproval>(
      `update interactions set status = 'ANSWERED', selected_option_ids = $3, other_text = $4, answered_by = $5, answered_at = clock_timestamp(),
         unrecorded = case when purpose = 'approval' then $6::json end
       where space_id = $1 and id = $2 and ${sqlStatesByKey('status', 'PENDING')} returning ${COLUMNS}, unrecorded`,
      [spaceId, id, JSON.stringify(answer.selectedOptionIds), answer.otherText, answer.by, JSON.stringify(answer.with)],
    );
  }

  async cancelOf(tx: Tx, spaceId: string, turnKey: string): Promise<void> {
    await tx.query(
      `update interactions set status = 'CANCELLED' where space_id = $1 and turn_key = $2 and status = 'PENDING'`,
      [spaceId, turnKey],
    );
  }

  listPending(tx: Tx, spaceId: string, filter: InteractionFilter): Promise<(InteractionRow & Weighed)[]> {
    return tx.query(
      lightPage(
        `select ${COLUMNS} from interactions
       where space_id = $1 and status = 'PENDING' and not (${EXPIRED})
         and ($2::uuid is null or user_id = $2) and ($3::uuid is null or agent_id = $3)
         and ($4::uuid is null or session_id = $4) and ($5::uuid is null or id < $5)
       order by id desc limit $6`,
        'id desc',
        LONG,
      ),
      [spaceId, filter.userId, filter.agentId, filter.sessionId, filter.after, filter.take],
    );
  }

  /**
   * Interactions that a person may answer: their own unless another approver is required, those for an ADMIN, and those
   * for anyone but their user. Each is a short index scan at any size of the Space.
   */
  listInbox(tx: Tx, spaceId: string, filter: InboxFilter): Promise<(InboxRow & Weighed)[]> {
    const part = (whose: string): string =>
      `(select ${COLUMNS}, (select s.title from sessions s where s.space_id = i.space_id and s.id = i.session_id) as session_title
        from interactions i
        where i.space_id = $1 and ${whose}
          and ($4::text is null or i.status = $4) and ($4::text is distinct from 'PENDING' or not (${EXPIRED}))
          and ($5::text is null or i.purpose = $5) and ($6::uuid is null or i.agent_id = $6)
          and ($7::uuid is null or i.session_id = $7) and ($8::uuid is null or i.id < $8)
          and exists (select 1 from sessions s where s.space_id = i.space_id and s.id = i.session_id and s.status = 'ACTIVE')
        order by i.id desc limit $9)`;
    return tx.query(
      lightPage(
        `select * from (
         ${part(`i.user_id = $2 and (i.approver is null or i.approver = 'USER' or (i.approver = 'ADMIN' and $3::boolean))`)}
         union all ${part(`$3::boolean and i.approver = 'ADMIN' and i.user_id <> $2`)}
         union all ${part(`$3::boolean and i.of_account and i.approver = 'USER' and i.user_id <> $2`)}
         union all ${part(`$10::boolean and i.approver in ('OTHER', 'OTHER_ADMIN') and (i.approver = 'OTHER' or $3::boolean) and i.user_id <> $2`)}) found
       order by id desc limit $9`,
        'id desc',
        LONG,
      ),
      [
        spaceId,
        filter.userId,
        filter.isAdmin,
        filter.status,
        filter.purpose,
        filter.agentId,
        filter.sessionId,
        filter.after,
        filter.take,
        filter.isMember,
      ],
    );
  }

  readonly anyOverdue: Read = {
    name: 'any-interaction-overdue',
    params: [],
    sql: `select 1 from interactions i where ${IS_OVERDUE} limit 1`,
  };

  /** Spaces with interactions that have expired. */
  readonly late: Read = {
    name: 'spaces-with-overdue-interactions',
    params: [],
    sql: `select distinct i.space_id from interactions i where ${IS_OVERDUE} limit ${LATE_SPACES_AT_ONCE}`,
  };

  readonly moveTimes = [
    `update interactions i set expires_at = i.expires_at + started.pause from started
      where i.space_id = started.space_id and i.status = 'PENDING' and i.created_at < started.until`,
    // It is not recorded when they began.
    `update tool_results t set expires_at = t.expires_at + started.pause from started
      where t.space_id = started.space_id and t.status = 'PENDING'`,
  ];

  /**
   * Of these Spaces, and of an approval only how many calls it is for. The turn comes first, as everywhere: who answers
   * holds it before the interaction.
   */
  listOverdue(
    tx: Tx,
    spaces: readonly string[],
    limit: number,
  ): Promise<{ spaceId: string; turnKey: string; id: string; purpose: InteractionPurpose; calls: number }[]> {
    return tx.query(
      `select i.space_id, i.turn_key, i.id, i.purpose,
         case when json_typeof(i.calls) = 'array' then json_array_length(i.calls) else 0 end as calls
       from interactions i join turns t on t.space_id = i.space_id and t.id = i.turn_key
       where ${IS_OVERDUE} and i.space_id = any($2::uuid[]) limit $1 for update of t skip locked`,
      [limit, spaces],
    );
  }

  expire(tx: Tx, spaceId: string, id: string): Promise<number> {
    return tx.count(
      `update interactions set status = 'EXPIRED' where space_id = $1 and id = $2 and ${sqlStatesByKey('status', 'PENDING')}`,
      [spaceId, id],
    );
  }
}
