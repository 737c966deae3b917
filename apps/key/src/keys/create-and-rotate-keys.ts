import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type KeyLimits, type KeyType, type Scope, makeKeyValue } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type ApiKeyRow, ApiKeysRepository } from '../db/api-keys.repository';
import { KeyValuesRepository } from '../db/key-values.repository';
import { KeyHasher } from '../secrets/key-hasher';

export interface NewKey {
  type: KeyType;
  name: string;
  description: string | null;
  userId: string | null;
  applicationId: string | null;
  createdBy: string | null;
  /** The key that makes it; none where a person does. */
  madeByKey?: string | null;
  scopes: Scope[];
  limits: KeyLimits;
  expiresAt: string | null;
}

export interface KeyWithValue {
  row: ApiKeyRow;
  key: string;
}

/** Makes keys and their values. A value exists in the clear only in what these methods return. */
@Injectable()
export class KeyIssuer {
  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly keyValues: KeyValuesRepository,
    private readonly hasher: KeyHasher,
  ) {}

  async issue(tx: Tx, spaceId: string, key: NewKey, value = makeKeyValue(randomBytes)): Promise<KeyWithValue> {
    const row = await this.apiKeys.insert(tx, spaceId, {
      ...key,
      madeByKey: key.madeByKey ?? null,
      id: newId(),
      last4: value.slice(-4),
    });
    await this.keyValues.insert(tx, spaceId, row.id, this.hasher.digest(value));
    return { row, key: value };
  }

  /** A new value for the same key; the values before it end at `graceEndsAt`. */
  async renew(tx: Tx, spaceId: string, id: string, graceEndsAt: Date): Promise<KeyWithValue> {
    const value = makeKeyValue(randomBytes);
    await this.keyValues.endAll(tx, spaceId, id, graceEndsAt.toISOString());
    await this.keyValues.insert(tx, spaceId, id, this.hasher.digest(value));
    const row = await this.apiKeys.setLast4(tx, spaceId, id, value.slice(-4));
    if (!row) throw new Error('a locked key is gone');
    return { row, key: value };
  }
}
