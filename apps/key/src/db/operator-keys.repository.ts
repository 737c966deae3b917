import { Injectable } from '@nestjs/common';
import { type KeyStatus, NO_SPACE, type OperatorScope } from '@switchyard/contracts';
import type { PageWindow, TimePosition, Tx } from '@switchyard/database';
import { type ApiKeyRow, ApiKeysRepository } from './api-keys.repository';
import { MILLISECOND } from './tables';

/** The row of an operator's key: of no Space, and with scopes that no key of a Space has. */
export type OperatorKeyRow = Omit<ApiKeyRow, 'scopes'> & { scopes: OperatorScope[] };

export const operatorKey = (row: ApiKeyRow): OperatorKeyRow => ({
  ...row,
  scopes: row.scopes as string[] as OperatorScope[],
});

/** Keys of operators are kept beside those of Spaces, under `NO_SPACE`. */
@Injectable()
export class OperatorKeysRepository {
  constructor(private readonly apiKeys: ApiKeysRepository) {}

  async findLocked(tx: Tx, id: string): Promise<OperatorKeyRow | null> {
    return orNull(await this.apiKeys.findLocked(tx, NO_SPACE, id));
  }

  async find(tx: Tx, id: string): Promise<OperatorKeyRow | null> {
    return orNull(await this.apiKeys.find(tx, NO_SPACE, id));
  }

  async list(tx: Tx, page: PageWindow<TimePosition> & { status: KeyStatus | null }): Promise<OperatorKeyRow[]> {
    return (await this.apiKeys.list(tx, NO_SPACE, { ...page, ofUserId: null })).map(operatorKey);
  }

  async revoke(tx: Tx, id: string): Promise<OperatorKeyRow | null> {
    return orNull(await this.apiKeys.revoke(tx, NO_SPACE, id));
  }

  /** From now on the active key with one of these values, made for the NATS users alone, ends by being revoked alone. */
  async giveToPlatform(tx: Tx, digests: readonly Buffer[]): Promise<void> {
    await tx.query(
      `update api_keys set created_by = null, version = version + 1
       where space_id = $1 and type = 'OPERATOR' and created_by is not null and revoked_at is null
         and scopes = array['operator:nats'] and id in (select key_id from api_key_values where space_id = $1 and digest = any($2::bytea[]))`,
      [NO_SPACE, digests],
    );
  }

  /** Those that a person has made and that still live; the ids of those that ended by it. */
  async revokeOfMaker(tx: Tx, userId: string): Promise<string[]> {
    const ended = await tx.query<{ id: string }>(
      `update api_keys set revoked_at = ${MILLISECOND}, version = version + 1
       where space_id = $1 and type = 'OPERATOR' and created_by = $2 and revoked_at is null returning id`,
      [NO_SPACE, userId],
    );
    return ended.map(({ id }) => id);
  }
}

const orNull = (row: ApiKeyRow | null): OperatorKeyRow | null => row && operatorKey(row);
