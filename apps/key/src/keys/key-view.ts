import type { ApiKeyView } from '@switchyard/contracts';
import type { ApiKeyRow } from '../db/api-keys.repository';
import { keyStatus } from '../domain/key-status';

/** Field by field: nothing of how the value is stored has a way out. */
export const keyView = (row: ApiKeyRow, now: Date): ApiKeyView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  applicationId: row.applicationId,
  last4: row.last4,
  scopes: row.scopes,
  ...(row.legacyScopes.length === 0 ? {} : { legacyScopes: row.legacyScopes }),
  limits: row.limits,
  status: keyStatus(row, now),
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  revokedAt: row.revokedAt,
});
