import type { Tx } from '@switchyard/database';
import { type ResealBatch, type ResealedBatch, resealRows, type Encrypter } from '@switchyard/service';
import { headerEncryptionContext } from '../domain/header-encryption-context';
import { currentTextHead, openText, sealText } from '../domain/encrypted-text';

interface SealedRow {
  spaceId: string;
  id: string;
  agentId: string;
  secrets: Record<string, string>;
}

const TABLES = [
  { what: 'headers of MCP servers', table: 'agents', agentId: 'id' },
  { what: 'headers of MCP servers in versions', table: 'agent_versions', agentId: 'agent_id' },
] as const;

/** Seals with the present key what another one has sealed. Each step does a batch and says how many rows it had. */
export const resealSteps = TABLES.map(({ what, table, agentId }) => ({
  what,
  run: async (tx: Tx, encrypter: Encrypter, batch: ResealBatch): Promise<ResealedBatch> => {
    const rows = await tx.query<SealedRow>(
      `select space_id, id, ${agentId} as agent_id, secrets from ${table}
       where exists (select 1 from jsonb_each_text(secrets) each where not starts_with(each.value, $1)) and id::text <> all($3)
       limit $2 for update`,
      [currentTextHead(encrypter), batch.limit, batch.except],
    );
    const seal = (row: SealedRow): string => {
      const secrets = Object.entries(row.secrets).map(([server, sealed]) => {
        const context = headerEncryptionContext(row.agentId, server);
        return [server, sealText(encrypter, openText(encrypter, sealed, context), context)];
      });
      return JSON.stringify(Object.fromEntries(secrets));
    };
    return resealRows(rows, seal, (row, secrets) =>
      tx.run(`update ${table} set secrets = $3 where space_id = $1 and id = $2`, [row.spaceId, row.id, secrets]),
    );
  },
}));
