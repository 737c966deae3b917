import { type Approver, type InteractionPurpose, type Role, roleAtLeast } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';

interface Caller {
  userId: string | null;
  role: Role | null;
}

interface Asked {
  userId: string;
  purpose: InteractionPurpose;
  approver: Approver | null;
}

/**
 * Questions and approvals by USER are for the turn's user alone; approvals by ADMIN for everybody who is one. A caller
 * who may see the turn is told why not; others learn nothing of it, and of a question of somebody else nobody does.
 */
export function checkMayAnswer(caller: Caller, asked: Asked): void {
  const isOwn = caller.userId === asked.userId;
  const isAdmin = roleAtLeast(caller.role, 'ADMIN');
  if (asked.approver === 'ADMIN' ? isAdmin : isOwn) return;
  if (!isOwn && (!isAdmin || asked.purpose === 'question')) throw new AppError('NOT_FOUND', 'Turn not found.');
  throw new AppError(
    'FORBIDDEN',
    asked.approver === 'ADMIN'
      ? 'You need the role ADMIN to answer this approval.'
      : 'Only the user of this turn may answer this approval.',
  );
}
