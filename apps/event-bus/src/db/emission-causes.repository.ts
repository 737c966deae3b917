import { Injectable } from '@nestjs/common';
import { type CauseNode, type DeliveryStatus, type EmissionStatus, MOST_CAUSE_NODES } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';

interface EmissionFacts {
  id: string;
  name: string;
  status: EmissionStatus;
  startedAt: string;
  finishedAt: string | null;
  userId: string | null;
  correlationId: string;
  causationId: string | null;
  root: string | null;
  parent: string | null;
}

interface DeliveryFacts {
  id: string;
  envelopeId: string;
  status: DeliveryStatus;
  startedAt: string;
  finishedAt: string | null;
}

const COLUMNS = `m.id, m.event as name, m.status, m.emitted_at as started_at, m.dispatched_at as finished_at, m.actor_user_id as user_id,
   m.correlation_id, m.causation_id, m.root, m.parent`;

/** Emissions and their deliveries, as nodes of trees. */
@Injectable()
export class EmissionCausesRepository {
  async find(tx: Tx, spaceId: string, id: string): Promise<CauseNode[]> {
    const rows = await tx.query<EmissionFacts>(
      `select ${COLUMNS} from emissions m where m.space_id = $1 and m.id = $2`,
      [spaceId, id],
    );
    return rows.map(emissionNode);
  }

  async list(tx: Tx, spaceId: string, roots: readonly string[], correlations: readonly string[]): Promise<CauseNode[]> {
    const emissions = await tx.query<EmissionFacts>(
      `select ${COLUMNS} from (
         select id from emissions where space_id = $1 and id = any($2::uuid[] || $3::uuid[])
         union select id from emissions where space_id = $1 and root = any($2::uuid[]) and root is not null
         union select id from emissions where space_id = $1 and correlation_id = any($3::uuid[]) and depth > 0) found
       cross join lateral (select * from emissions x where x.space_id = $1 and x.id = found.id) m
       order by m.id limit $4`,
      [spaceId, roots, correlations, MOST_CAUSE_NODES + 1],
    );
    const deliveries = await tx.query<DeliveryFacts>(
      `select d.id, d.envelope_id, d.status, d.created_at as started_at, d.settled_at as finished_at
         from unnest($2::uuid[]) as wanted (id) join deliveries d on d.space_id = $1 and d.envelope_id = wanted.id
        order by d.id limit $3`,
      [spaceId, emissions.map(({ id }) => id), MOST_CAUSE_NODES + 1],
    );
    return [...emissions.map(emissionNode), ...deliveries.map(deliveryNode)];
  }
}

const emissionNode = ({ parent, causationId, ...facts }: EmissionFacts): CauseNode => ({
  key: `emission:${facts.id}`,
  // Emissions of before their makers were kept hang under the emission that caused them.
  parentKey: parent ?? (causationId === null ? null : `emission:${causationId}`),
  kind: 'emission',
  turnIds: [],
  tokens: null,
  cost: null,
  ...facts,
});

const deliveryNode = ({ envelopeId, ...facts }: DeliveryFacts): CauseNode => ({
  key: `delivery:${facts.id}`,
  parentKey: `emission:${envelopeId}`,
  kind: 'delivery',
  name: null,
  userId: null,
  correlationId: null,
  root: null,
  turnIds: [],
  tokens: null,
  cost: null,
  ...facts,
});
