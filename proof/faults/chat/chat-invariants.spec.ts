import { type FrameEnvelope, PRODUCT_EVENTS, type ProductEventKey } from '@switchyard/contracts';
import { GIVEN_UP } from '../given-up';
import { type ChatFound, chatViolations } from './chat-invariants';
import type { TurnOutcome } from './turn-client';

const frame = (seq: number, key: ProductEventKey, data: object = {}): FrameEnvelope => ({
  type: 'event',
  method: 'custom:service',
  params: { namespace: [], timestamp: seq, data: { event: PRODUCT_EVENTS[key], ...data } },
  seq,
});

const frames = [
  frame(1, 'sessionStarted', { session_id: 's' }),
  frame(2, 'contentDelta', { delta: 'one two' }),
  frame(3, 'responseCompleted'),
  frame(4, 'streamEnded', { status: 'COMPLETED' }),
];

const outcome: TurnOutcome = {
  script: { name: 'turn-0', kind: 'plain', turnId: 't', text: 'turn-0', answer: 'one two', modelCalls: 1, atFrame: 3 },
  sessionId: 's',
  status: 'COMPLETED',
  frames,
  problems: [],
  connections: 1,
  isExpired: false,
  toolCalls: [],
  refusal: null,
};

const debit = {
  type: 'SETTLEMENT',
  tokens: -7,
  balanceAfter: 93,
  turnId: 'k',
  outcome: 'completed',
  estimated: false,
  promptTokens: 5,
  completionTokens: 2,
};

const message = (seq: number, role: string, text: string, finishReason: string | null) => ({
  sessionId: 's',
  seq,
  turnId: 't',
  role,
  content: [{ type: 'text', text }],
  finishReason,
});

const sound: ChatFound = {
  outcomes: [outcome],
  turns: [{ key: 'k', turnId: 't', sessionId: 's', status: 'COMPLETED', recoveries: 0, failure: null }],
  messages: [message(1, 'user', 'turn-0', null), message(2, 'assistant', 'one two', 'stop')],
  ledger: [{ ...debit, type: 'CREDIT', tokens: 100, balanceAfter: 100, turnId: null, outcome: null }, debit],
  account: { balance: 93, reserved: 0, reservations: 0 },
  upstream: [{ name: 'turn-0', promptTokens: 5, completionTokens: 2, ended: 'whole' }],
  replays: new Map([['t', { frames, problems: [], isExpired: false }]]),
  storedTwice: [],
  changes: [
    {
      table: 'session.turns',
      id: 'k',
      from: 'RUNNING',
      to: 'COMPLETED',
      epochFrom: 1,
      epochTo: 1,
      worker: null,
      by: 'x',
    },
  ],
  unexpectedEnds: [],
};

const ONE_TURN = 'every turn of a client is one turn, and has come to one end';

const brokenBy = (changes: Partial<ChatFound>): string[] => [
  ...new Set(chatViolations({ ...sound, ...changes }).map(({ rule }) => rule)),
];
const received = (changes: Partial<TurnOutcome>): Partial<ChatFound> => ({ outcomes: [{ ...outcome, ...changes }] });

describe('the rules for turns', () => {
  it('hold for a run in which nothing went wrong', () => {
    expect(brokenBy({})).toEqual([]);
  });

  it('allow a turn whose request was in two processes as they ended, and no more of them', () => {
    const [givenUp, other] = [outcome, { ...outcome, script: { ...outcome.script, turnId: 'u' } }].map((each) => ({
      ...each,
      status: GIVEN_UP,
      frames: [],
    }));
    const nothing = { turns: [], messages: [], upstream: [], replays: new Map() };
    expect(brokenBy({ ...nothing, outcomes: [givenUp as TurnOutcome] })).not.toContain(ONE_TURN);
    expect(brokenBy({ ...nothing, outcomes: [givenUp, other] as TurnOutcome[] })).toContain('few turns are given up');
  });

  it.each<[string, Partial<ChatFound>]>([
    ['a turn that runs for ever', { turns: [{ ...sound.turns[0], status: 'RUNNING' } as ChatFound['turns'][number]] }],
    ['a turn that began twice', { turns: [...sound.turns, ...sound.turns] }],
    ['a turn of nobody', { turns: [...sound.turns, { ...sound.turns[0], turnId: 'x' } as ChatFound['turns'][number]] }],
    ['another end than was told', received({ status: 'FAILED' })],
    ['a gap in the frames', received({ problems: ['frame 4 came after 2'] })],
    ['two outcomes', received({ frames: [...frames.slice(0, 3), frame(4, 'errorOccurred'), frame(5, 'streamEnded')] })],
    [
      'another text than the model said',
      received({ frames: [frame(1, 'contentDelta', { delta: 'two' }), ...frames.slice(1)] }),
    ],
    ['a transcript without its answer', { messages: [message(1, 'user', 'turn-0', null)] }],
    ['a batch of frames that the log has twice', { storedTwice: ['k: 1 {}'] }],
    ['a message twice', { messages: [...sound.messages, message(3, 'user', 'turn-0', null)] }],
    [
      'a gap in the transcript',
      { messages: [message(1, 'user', 'turn-0', null), message(3, 'assistant', 'one two', 'stop')] },
    ],
    ['a tool that was asked for twice', received({ toolCalls: ['a', 'b'] })],
    [
      'a call that is paid twice',
      {
        ledger: [...sound.ledger, { ...debit, balanceAfter: 86 }],
        account: { balance: 86, reserved: 0, reservations: 0 },
      },
    ],
    [
      'a call that nobody paid',
      { ledger: sound.ledger.slice(0, 1), account: { balance: 100, reserved: 0, reservations: 0 } },
    ],
    [
      'a debit of another size',
      { upstream: [{ name: 'turn-0', promptTokens: 5, completionTokens: 3, ended: 'whole' }] },
    ],
    ['a balance that is not its ledger', { account: { balance: 92, reserved: 0, reservations: 0 } }],
    ['tokens that stay reserved', { account: { balance: 93, reserved: 5, reservations: 1 } }],
    [
      'a replay in other words',
      {
        replays: new Map([
          ['t', { frames: [frame(1, 'contextUsage'), ...frames.slice(1)], problems: [], isExpired: false }],
        ]),
      },
    ],
    [
      'a write after the end',
      {
        changes: [
          {
            table: 'session.turns',
            id: 'k',
            from: 'COMPLETED',
            to: 'COMPLETED',
            epochFrom: 1,
            epochTo: 1,
            worker: null,
            by: 'x',
          },
        ],
      },
    ],
    [
      'an epoch that falls',
      {
        changes: [
          {
            table: 'session.turns',
            id: 'k',
            from: 'RUNNING',
            to: 'RUNNING',
            epochFrom: 2,
            epochTo: 1,
            worker: null,
            by: 'x',
          },
        ],
      },
    ],
    ['a process that ended by itself', { unexpectedEnds: ['agent.log: an uncaught exception'] }],
  ])('find %s', (_, changes) => {
    expect(brokenBy(changes).length).toBeGreaterThan(0);
  });
});
