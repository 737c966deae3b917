import {
  type Approver,
  type Identity,
  type InteractionPurpose,
  type InteractionStatus,
  isApprover,
  mayAnswerApprovals,
  requireApprovalScope,
  roleAtLeast,
} from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';

type Caller = Pick<Identity, 'userId' | 'role' | 'credentialType' | 'scopes'>;

interface PendingInteraction {
  userId: string;
  purpose: InteractionPurpose;
  approver: Approver | null;
  /** The user of the turn is a NATS account. */
  ofAccount?: boolean;
}

/**
 * Questions are for the turn's user alone. An approval is seen by those who may read the turn, and those it waits for.
 */
function mayKnow(caller: Caller, { userId, purpose, approver }: PendingInteraction): boolean {
  if (caller.userId === userId) return true;
  if (purpose === 'question') return false;
  return roleAtLeast(caller.role, 'ADMIN') || (approver === 'OTHER' && roleAtLeast(caller.role, 'MEMBER'));
}

function isRight(caller: Caller, { userId, purpose, approver, ofAccount }: PendingInteraction): boolean {
  if (purpose === 'question') return true;
  const by = approver ?? 'USER';
  // An account has no person: an ADMIN answers in its place.
  if (by === 'USER' && ofAccount === true && roleAtLeast(caller.role, 'ADMIN')) return true;
  return isApprover(by, { isUserOfTurn: caller.userId === userId, role: caller.role });
}

const REFUSALS: Record<Approver, string> = {
  USER: 'Only the user of this turn may answer this approval.',
  ADMIN: 'You need the role ADMIN to answer this approval.',
  OTHER: 'A member of the Space other than the user of this turn has to answer this approval.',
  OTHER_ADMIN: 'An ADMIN other than the user of this turn has to answer this approval.',
};

/** Callers that may see it get the reason; for others it does not exist. A key needs the scope with any role. */
export function checkMayAnswer(caller: Caller, request: PendingInteraction): void {
  if (!mayKnow(caller, request)) throw new AppError('NOT_FOUND', 'Turn not found.');
  if (request.purpose === 'approval') requireApprovalScope(caller);
  if (!isRight(caller, request)) throw new AppError('FORBIDDEN', REFUSALS[request.approver ?? 'USER']);
}

/** Whether an answer of this caller would be taken now. */
export const isAnswerable = (
  caller: Caller,
  request: PendingInteraction & { status: InteractionStatus; overdue: boolean },
): boolean =>
  request.status === 'PENDING' &&
  !request.overdue &&
  mayKnow(caller, request) &&
  (request.purpose === 'question' || mayAnswerApprovals(caller)) &&
  isRight(caller, request);
