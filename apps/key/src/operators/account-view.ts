import type { AccountView } from '@switchyard/contracts';
import type { AccountRow } from '../db/operator-accounts.repository';

export const accountView = (row: AccountRow): AccountView => ({
  id: row.id,
  email: row.email,
  name: row.name,
  operator: row.operator,
  status: row.disabledAt === null ? 'ACTIVE' : 'DISABLED',
  spaces: row.spaces,
  createdAt: row.createdAt,
  lastSignInAt: row.lastSignedInAt,
});
