import type { CloseTurn } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { type Ending, newTurnState } from '../../../domain/turn-state';
import type { TurnDeps } from '../turn-deps';
import type { TurnExecution } from '../turn-execution';
import { storeTurnEnd } from './store-turn-end';

const ending: Ending = { status: 'COMPLETED', finishReason: 'stop', error: null, messageId: 'm', answer: 'Hello' };
const state = { ...newTurnState('sim-chat'), steps: [{ id: 'm', role: 'assistant' as const, text: 'Hello' }], ending };
const turn = {
  spec: { facts: { sessionId: 's', turnId: 't', agentId: 'a', kind: 'chat' }, ctx: {}, key: 'k' },
  lease: { key: 'k', epoch: 1 },
  state,
  workedMs: 5,
  feed: { seq: 3, unconfirmed: () => ({ firstSeq: 3, lastSeq: 3, text: 'frame' }) },
} as unknown as TurnExecution;

function storeThat(refuses: (data: CloseTurn) => AppError | null): { stored: CloseTurn[]; services: TurnDeps } {
  const stored: CloseTurn[] = [];
  const close = (_: unknown, data: () => CloseTurn): Promise<object> => {
    const refusal = refuses(data());
    if (refusal) return Promise.reject(refusal);
    stored.push(data());
    return Promise.resolve({});
  };
  return { stored, services: { session: { close }, log: { error: () => undefined } } as unknown as TurnDeps };
}

describe('the end of a turn', () => {
  it('that is refused for what it holds is stored without it, as a failure', async () => {
    const { stored, services } = storeThat(({ messages }) =>
      messages.some(({ role }) => role === 'assistant') ? new AppError('VALIDATION_ERROR', 'unstorable') : null,
    );
    const { result } = await storeTurnEnd(turn, services, ending);
    expect(result).toMatchObject({ status: 'FAILED', answer: '', error: { code: 'SERVER_ERROR' } });
    expect(stored).toMatchObject([
      {
        status: 'FAILED',
        messages: [{ role: 'event' }],
        error: { code: 'SERVER_ERROR' },
        result: { refused: [{ firstSeq: 4, lastSeq: 3, text: '' }] },
      },
    ]);
  });

  it('is stored with the frames that are not confirmed', async () => {
    const { stored, services } = storeThat(() => null);
    await storeTurnEnd(turn, services, ending);
    expect(stored).toMatchObject([{ result: { refused: [{ firstSeq: 3, lastSeq: 3, text: 'frame' }] } }]);
  });

  it('that somebody else holds is not stored at all', async () => {
    const { stored, services } = storeThat(() => new AppError('CONFLICT', 'held elsewhere'));
    await expect(storeTurnEnd(turn, services, ending)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(stored).toEqual([]);
  });
});
