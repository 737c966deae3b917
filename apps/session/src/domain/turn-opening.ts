import type { TurnStatus } from '@switchyard/contracts';
import { isActiveTurn } from '@switchyard/contracts';
import { AppError, invalid } from '@switchyard/kernel';

interface Request {
  agentId: string;
  fingerprint: string;
}

/** Handling of a request with an existing turn id: join the turn, repeat its result, or refuse. */
export function reopen(turn: Request & { turnId: string; status: TurnStatus }, request: Request): 'attach' | 'replay' {
  if (turn.agentId !== request.agentId || turn.fingerprint !== request.fingerprint) {
    throw new AppError(
      'IDEMPOTENCY_CONFLICT',
      `Turn ${turn.turnId} was opened by another request. Use a new turnId, or repeat the first body as it was.`,
    );
  }
  return isActiveTurn(turn.status) ? 'attach' : 'replay';
}

export const turnAlreadyActive = (turnId: string): AppError =>
  new AppError(
    'TURN_ALREADY_ACTIVE',
    `Turn ${turnId} is active in this session. Wait for its end, answer its question, or cancel it.`,
  );

export function checkOpening(request: { stateless?: boolean; sessionId?: string; message?: object }): void {
  if (request.stateless && request.sessionId !== undefined) throw invalid('sessionId', 'does not go with stateless');
  if (!request.stateless && request.message === undefined) throw invalid('message', 'is required');
}
