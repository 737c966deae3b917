import type { ErrorCode } from '@switchyard/kernel';
import type { CallContract, StreamContract } from './define-contracts';

type Declaring = Pick<CallContract | StreamContract, 'access' | 'errors'> & Partial<Pick<CallContract, 'idempotent'>>;

/** Errors of any operation: invalid fields, too large, over quota, service unavailable. */
const ANY_OPERATION: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
];
const ANY_IDEMPOTENT: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'];

/** Errors implied by the kind of operation. Contracts declare only the others. */
export const impliedErrors = ({ access, idempotent }: Omit<Declaring, 'errors'>): ErrorCode[] => [
  ...ANY_OPERATION,
  ...(access === 'public' ? [] : (['FORBIDDEN', 'SPACE_SUSPENDED'] as const)),
  // 404 for everyone who is not an operator.
  ...(typeof access === 'object' && access.operator !== undefined ? (['NOT_FOUND'] as const) : []),
  ...(idempotent ? ANY_IDEMPOTENT : []),
];

const declared = new WeakMap<Declaring, ReadonlySet<ErrorCode>>();

/** All errors that a caller of the operation may get. */
export function errorsOf(contract: Declaring): ReadonlySet<ErrorCode> {
  let codes = declared.get(contract);
  if (!codes) {
    codes = new Set([...impliedErrors(contract), ...contract.errors]);
    declared.set(contract, codes);
  }
  return codes;
}
