import { checkOpening, reopen } from './turn-opening';

const turn = { turnId: 't', agentId: 'a', fingerprint: 'f' };

describe('a request whose turn id is known', () => {
  it.each([
    ['RUNNING', 'attach'],
    ['WAITING_INPUT', 'attach'],
    ['COMPLETED', 'replay'],
    ['FAILED', 'replay'],
    ['CANCELLED', 'replay'],
  ] as const)('finds a turn that is %s: %s', (status, outcome) => {
    expect(reopen({ ...turn, status }, { agentId: 'a', fingerprint: 'f' })).toBe(outcome);
  });

  it.each([
    ['another body', { agentId: 'a', fingerprint: 'g' }],
    ['another agent', { agentId: 'b', fingerprint: 'f' }],
  ])('is refused with %s', (_, request) => {
    expect(() => reopen({ ...turn, status: 'COMPLETED' }, request)).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_CONFLICT' }),
    );
  });
});

describe('a new turn', () => {
  it('needs words, unless it keeps nothing', () => {
    expect(() => checkOpening({})).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(() => checkOpening({ stateless: true })).not.toThrow();
    expect(() => checkOpening({ message: {} })).not.toThrow();
  });

  it('cannot keep nothing in a session', () => {
    expect(() => checkOpening({ stateless: true, sessionId: 's' })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });
});
