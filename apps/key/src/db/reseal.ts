import type { Tx } from '@switchyard/database';
import { type ResealBatch, type ResealedBatch, resealRows, type Encrypter } from '@switchyard/service';
import { secretPlace, signingKeyPlace, webhookSecretPlace } from '../domain/encryption-contexts';

interface SealedRow {
  spaceId: string | null;
  id: string;
  sealed: Buffer;
}

interface SealedColumn {
  what: string;
  table: string;
  /** `space_id` and `id` of the row; signing keys belong to no Space. */
  spaceId: string;
  id: string;
  column: string;
  context: (row: SealedRow) => string;
}

const COLUMNS: readonly SealedColumn[] = [
  {
    what: 'secrets of Spaces',
    table: 'secrets',
    spaceId: 'space_id',
    id: 'id::text',
    column: 'sealed',
    context: ({ spaceId, id }) => secretPlace(spaceId ?? '', id),
  },
  {
    what: 'webhook secrets',
    table: 'spaces',
    spaceId: 'space_id',
    id: 'id::text',
    column: 'sealed_webhook_secret',
    context: ({ id }) => webhookSecretPlace(id),
  },
  {
    what: 'signing keys',
    table: 'signing_keys',
    spaceId: 'null::uuid',
    id: 'kid',
    column: 'sealed_private_jwk',
    context: ({ id }) => signingKeyPlace(id),
  },
];

/** Seals with the present key what another one has sealed. Each step does a batch and says how many rows it had. */
export const resealSteps = COLUMNS.map((column) => ({
  what: column.what,
  run: (tx: Tx, encrypter: Encrypter, batch: ResealBatch): Promise<ResealedBatch> =>
    resealBatch(tx, encrypter, column, batch),
}));

async function resealBatch(tx: Tx, encrypter: Encrypter, at: SealedColumn, batch: ResealBatch): Promise<ResealedBatch> {
  // Locked, so that a new value that is written meanwhile waits and is not lost.
  const rows = await tx.query<SealedRow>(
    `select ${at.spaceId} as space_id, ${at.id} as id, ${at.column} as sealed from ${at.table}
     where substring(${at.column} from 1 for 3) <> $1 and ${at.id} <> all($3) limit $2 for update`,
    [encrypter.currentHead, batch.limit, batch.except],
  );
  const seal = (row: SealedRow): Buffer => {
    const context = at.context(row);
    return encrypter.seal(encrypter.open(row.sealed, context), context);
  };
  return resealRows(rows, seal, (row, sealed) =>
    tx.run(
      `update ${at.table} set ${at.column} = $3 where ${at.id} = $2 and ($1::uuid is null or ${at.spaceId} = $1::uuid)`,
      [row.spaceId, row.id, sealed],
    ),
  );
}
