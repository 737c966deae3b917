import { AgentStreams, type Ctx, type StreamContract } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { Bus, StreamReader } from '@switchyard/messaging';

export const isGivenUp = (error: unknown): boolean => error instanceof AppError && error.code === 'RUNTIME_UNAVAILABLE';

/**
 * Starts a turn and reads its frames. If the start was given up because processes ended while they had it, the turn may
 * have begun all the same: then it is read, and not started again. If it cannot be read, the reason is that of the
 * reading: a client whose frames have expired reads the turn instead.
 */
export async function openTurn<Start extends { agentId: string; turnId?: string }>(
  bus: Bus,
  ctx: Ctx,
  { contract, start, signal }: { contract: StreamContract<Start, string>; start: Start; signal: AbortSignal },
): Promise<StreamReader<string>> {
  const { agentId, turnId } = start;
  try {
    return await bus.stream(contract, ctx, start, { signal, workId: turnId });
  } catch (error) {
    if (!isGivenUp(error) || turnId === undefined) throw error;
    return bus.stream(AgentStreams.attach, ctx, { agentId, turnId, after: 0 }, { signal }).catch((cause: unknown) => {
      throw cause instanceof AppError && cause.code === 'NOT_FOUND' ? error : cause;
    });
  }
}
