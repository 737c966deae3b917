import type { ErrorCode } from '@switchyard/kernel';
import type { CallContract, StreamContract } from './contracts';

type Declaring = Pick<CallContract | StreamContract, 'access' | 'errors'> & Partial<Pick<CallContract, 'idempotent'>>;

/** Whatever an operation does: bad fields, what is too large to carry, a share that is used up, a service that is away. */
const ANY_OPERATION: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
];
const ANY_IDEMPOTENT: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'];

/** What follows from the kind of an operation. A contract names the others alone. */
export const impliedErrors = ({ access, idempotent }: Omit<Declaring, 'errors'>): ErrorCode[] => [
  ...ANY_OPERATION,
  ...(access === 'public' ? [] : (['FORBIDDEN', 'SPACE_SUSPENDED'] as const)),
  // As if it were not there: the answer to all who are no operators.
  ...(typeof access === 'object' && access.operator !== undefined ? (['NOT_FOUND'] as const) : []),
  ...(idempotent ? ANY_IDEMPOTENT : []),
];

const declared = new WeakMap<Declaring, ReadonlySet<ErrorCode>>();

/** Every error that a caller of the operation may meet. */
export function errorsOf(contract: Declaring): ReadonlySet<ErrorCode> {
  let codes = declared.get(contract);
  if (!codes) {
    codes = new Set([...impliedErrors(contract), ...contract.errors]);
    declared.set(contract, codes);
  }
  return codes;
}
