import { AgentStreams, type StartChat, serviceCtx } from '@switchyard/contracts';
import { AppError, newId } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';
import { openTurn } from './open-turn';

const givenUp = new AppError('RUNTIME_UNAVAILABLE', 'Given up.');

/** Of a start that was given up, where reading the turn comes to this. */
function opened(reading: AppError | 'frames'): Promise<unknown> {
  const bus = {
    stream: (contract: unknown) => {
      if (contract !== AgentStreams.attach) return Promise.reject(givenUp);
      return reading === 'frames' ? Promise.resolve(reading) : Promise.reject(reading);
    },
  } as unknown as Bus;
  const start = { agentId: newId(), turnId: newId() } as unknown as StartChat;
  const signal = new AbortController().signal;
  return openTurn(bus, serviceCtx('gateway'), { contract: AgentStreams.chat, start, signal }).catch(
    (error: unknown) => error,
  );
}

describe('a start that was given up', () => {
  it('is read where its turn has begun all the same', async () => {
    expect(await opened('frames')).toBe('frames');
  });

  it('is refused as given up where no turn has begun', async () => {
    expect(await opened(new AppError('NOT_FOUND', 'There is no such turn.'))).toBe(givenUp);
  });

  it('says why its turn cannot be read', async () => {
    const expired = new AppError('STREAM_EXPIRED', 'The frames are gone.');
    expect(await opened(expired)).toBe(expired);
  });
});
