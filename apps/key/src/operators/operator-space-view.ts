import { NO_CEILINGS, type OperatorSpaceView } from '@switchyard/contracts';
import type { CountedSpace } from '../db/operator-spaces.repository';
import { type PayerFacts, payerOf } from '../domain/space-payer';

export const operatorSpaceView = (space: CountedSpace, payers: ReadonlyMap<string, PayerFacts>): OperatorSpaceView => ({
  id: space.id,
  name: space.name,
  status: space.status,
  suspendedReason: space.suspendedReason,
  createdAt: space.createdAt,
  owners: space.owners,
  members: space.members,
  balance: space.balance,
  unmetered: space.unmetered,
  usageThisMonth: { tokens: space.tokens, cost: Number(space.cost), calls: space.calls },
  bytesStored: space.bytes,
  ceilings: { ...NO_CEILINGS, ...space.ceilings },
  payer: payerOf(space, payers),
});
