import type { Tx } from '@switchyard/database';
import { type Encrypter, type ResealBatch, type ResealedBatch, resealRows } from '@switchyard/service';
import { endpointHeadersContext, endpointSecretContext } from '../domain/endpoint-record';
import { currentTextHead, openText, sealText } from '../domain/encrypted-text';

interface SealedRow {
  spaceId: string;
  id: string;
  /** Null of an endpoint over NATS. */
  secret: string | null;
  oldSecret: string | null;
  headers: string | null;
}

/** Seals with the current key what another one has sealed. Each step does a batch and says how many rows it had. */
export const resealSteps = [
  {
    what: 'secrets and headers of endpoints',
    run: async (tx: Tx, encrypter: Encrypter, batch: ResealBatch): Promise<ResealedBatch> => {
      const rows = await tx.query<SealedRow>(
        `select space_id, id, secret, old_secret, headers from endpoints
          where exists (select 1 from unnest(array[secret, old_secret, headers]) each where not starts_with(each, $1))
            and id::text <> all($3) limit $2 for update`,
        [currentTextHead(encrypter), batch.limit, batch.except],
      );
      const again = (sealed: string | null, context: string): string | null =>
        sealed === null ? null : sealText(encrypter, openText(encrypter, sealed, context), context);
      const seal = ({ id, secret, oldSecret, headers }: SealedRow): (string | null)[] => [
        again(secret, endpointSecretContext(id)),
        again(oldSecret, endpointSecretContext(id)),
        again(headers, endpointHeadersContext(id)),
      ];
      return resealRows(rows, seal, (row, sealed) =>
        tx.run('update endpoints set secret = $3, old_secret = $4, headers = $5 where space_id = $1 and id = $2', [
          row.spaceId,
          row.id,
          ...sealed,
        ]),
      );
    },
  },
];
