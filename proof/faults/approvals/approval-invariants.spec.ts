import type { ApprovalOutcome } from './approval-client';
import { type ApprovalFound, approvalViolations } from './approval-invariants';
import { ACT, WRITE } from './approval-script';

const outcome: ApprovalOutcome = {
  script: {
    name: 'turn-0',
    turnId: 't',
    text: 'turn-0',
    tools: [WRITE, ACT],
    decision: 'some',
    approved: [WRITE],
    answers: 1,
  },
  sessionId: 's',
  interactionId: 'i',
  shown: [
    { call_id: 'a', name: WRITE, digest: 'd1' },
    { call_id: 'b', name: ACT, digest: 'd2' },
  ],
  status: 'COMPLETED',
};

const effect = { name: 'turn-0', tool: WRITE, digest: 'd1' } as const;
const key = { name: 'narrow', limit: 300, used: 310, reserved: 0, charged: 310, largestCall: 20 };
const written = { turnId: 't', tool: WRITE, text: '{"inserted":1}' };
const denied = { turnId: 't', tool: ACT, text: 'DENIED: This call was denied.' };

const sound: ApprovalFound = {
  outcomes: [outcome],
  turns: [{ turnId: 't', status: 'COMPLETED' }],
  effects: [effect],
  answers: [written, denied],
  events: [{ interactionId: 'i', digests: ['d1', 'd2'] }],
  keys: [key],
  canaries: [],
  isSecretUsed: true,
  changes: [],
  unexpectedEnds: [],
};

const brokenBy = (changes: Partial<ApprovalFound>): string[] =>
  approvalViolations({ ...sound, ...changes }).map(({ rule, detail }) => `${rule}: ${detail}`);

describe('the rules for approvals', () => {
  it('hold for a run in which nothing went wrong', () => {
    expect(brokenBy({})).toEqual([]);
    const lapsed = { ...written, text: 'TOOL_INTERRUPTED: The tool had started.' };
    expect(brokenBy({ answers: [lapsed, denied], effects: [] })).toEqual([]);
    const unknown = { ...denied, text: 'TOOL_NOT_FOUND: There is no tool called effects__act.' };
    const outcomes = [{ ...outcome, shown: outcome.shown.slice(0, 1) }];
    expect(brokenBy({ outcomes, answers: [written, unknown] })).toEqual([]);
  });

  it.each<[string, Partial<ApprovalFound>]>([
    ['a denied call that took effect', { effects: [effect, { name: 'turn-0', tool: ACT, digest: 'd2' }] }],
    ['a call that took effect twice', { effects: [effect, effect] }],
    ['a call with other arguments than were shown', { effects: [{ ...effect, digest: 'd3' }] }],
    ['a call that was told as done and was not', { effects: [] }],
    ['a call that nobody was told of', { answers: [denied] }],
    ['a denied call that was told as done', { answers: [written, { ...denied, text: 'done' }] }],
    ['a turn that waits after its answer', { turns: [{ turnId: 't', status: 'WAITING_INPUT' }] }],
    ['a turn that is two', { turns: [...sound.turns, ...sound.turns] }],
    ['an answer that is not in the security events', { events: [] }],
    ['an answer that is there twice', { events: [...sound.events, ...sound.events] }],
    ['a key that is charged otherwise than the ledger', { keys: [{ ...key, used: 290 }] }],
    ['a key that holds tokens', { keys: [{ ...key, reserved: 5 }] }],
    ['a key that is charged more than one call over its limit', { keys: [{ ...key, used: 340, charged: 340 }] }],
    ['a secret that shows', { canaries: ['session.messages'] }],
    ['a secret that was never sent', { isSecretUsed: false }],
    ['a process that ended by itself', { unexpectedEnds: ['agent.log: an uncaught exception'] }],
  ])('find %s', (_, changes) => {
    expect(brokenBy(changes).length).toBeGreaterThan(0);
  });
});
