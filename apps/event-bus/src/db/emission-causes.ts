import { type CauseNode, type DeliveryStatus, type EmissionStatus, MAX_CAUSE_NODES } from '@switchyard/contracts';
import type { OwnedCauses } from '@switchyard/service';

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
  audience: string | null;
}

interface DeliveryFacts {
  id: string;
  envelopeId: string;
  status: DeliveryStatus;
  startedAt: string;
  finishedAt: string | null;
  audience: string | null;
}

const COLUMNS = `m.id, m.event as name, m.status, m.emitted_at as started_at, m.dispatched_at as finished_at, m.actor_user_id as user_id,
   m.correlation_id, m.causation_id, m.root, m.parent, m.audience`;
/** The ids of the emissions of a part, the oldest first. */
const PART = `select id from emissions where space_id = $1 and id = any($2::uuid[] || $3::uuid[])
   union select id from emissions where space_id = $1 and root = any($2::uuid[]) and root is not null
   union select id from emissions where space_id = $1 and correlation_id = any($3::uuid[]) and depth > 0
   order by id limit $4`;

/** Emissions and their deliveries, as nodes of trees. */
export const emissionCauses: OwnedCauses = {
  find: (spaceId, id) => ({
    reads: [
      {
        name: 'find-emission-cause',
        sql: `select ${COLUMNS} from emissions m where m.space_id = $1 and m.id = $2`,
        params: [spaceId, id],
      },
    ],
    nodes: ([emissions = []]) => (emissions as unknown as EmissionFacts[]).map(emissionNode),
  }),

  list: (spaceId, { roots, correlations }) => {
    const params = [spaceId, roots, correlations, MAX_CAUSE_NODES + 1];
    return {
      reads: [
        {
          name: 'list-emission-causes',
          sql: `select ${COLUMNS} from (${PART}) found
                 cross join lateral (select * from emissions x where x.space_id = $1 and x.id = found.id) m order by m.id`,
          params,
        },
        {
          name: 'list-delivery-causes',
          sql: `select d.id, d.envelope_id, d.status, d.created_at as started_at, d.settled_at as finished_at, m.audience
                  from (${PART}) found join deliveries d on d.space_id = $1 and d.envelope_id = found.id
                  join emissions m on m.space_id = $1 and m.id = found.id
                 order by d.id limit $4`,
          params,
        },
      ],
      nodes: ([emissions = [], deliveries = []]) =>
        partNodes(emissions as unknown as EmissionFacts[], deliveries as unknown as DeliveryFacts[]),
    };
  },
};

/** Deliveries of an emission that was not there yet when the emissions were read are left out with it. */
function partNodes(emissions: readonly EmissionFacts[], deliveries: readonly DeliveryFacts[]): CauseNode[] {
  const ids = new Set(emissions.map(({ id }) => id));
  const ofThem = deliveries.filter(({ envelopeId }) => ids.has(envelopeId));
  return [...emissions.map(emissionNode), ...ofThem.map(deliveryNode)];
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
