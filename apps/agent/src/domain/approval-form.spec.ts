import { approvedIds } from '@switchyard/contracts';
import { approvalForm, denialOf } from './approval-form';
import { digestOf } from './approval-matching';
import { beforeRun } from './tool-call-checks';
import { advance } from './turn-reducer';
import { newTurnState, type OpenCall, type ToolCall, type TurnFacts, type TurnState } from './turn-state';

const FACTS: TurnFacts = {
  turnId: 't',
  sessionId: 's',
  agentId: 'a',
  agentName: 'Agent',
  kind: 'chat',
  maxSteps: 5,
  askMode: false,
  canAsk: true,
  hasKnowledge: false,
  structured: false,
};
const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: 'pay',
  arguments: { amount: 5 },
  source: 'builtin',
  action: true,
  ...more,
});
const callOf = (id: string, more: Partial<ToolCall> = {}): ToolCall =>
  call(id, { approval: { by: 'USER', digest: digestOf({ amount: 5 }) }, ...more });
const requested = (toolCalls: ToolCall[]): TurnState => {
  const usage = { promptTokens: 1, completionTokens: 1, cost: 0 };
  const update = { type: 'model-finished' as const, toolCalls, usage, finishReason: 'tool_calls', model: 'm' };
  return advance(FACTS, newTurnState('m'), update).state;
};
const decide = (state: TurnState, approved: string[], shown: string[]) =>
  advance(FACTS, state, {
    type: 'decided',
    approved: new Set(approved),
    shown,
    denial: 'no',
    interaction: { id: 'i' },
    at: 1,
  });
const states = (state: TurnState): string[] => state.calls.map(({ state: stage }) => stage);

describe('calls that need an approval', () => {
  it('do not start with the others, and are asked for when the others are done', () => {
    const state = requested([callOf('a'), call('b')]);
    expect(states(state)).toEqual(['pending', 'started']);
    expect(states(advance(FACTS, state, { type: 'tools-started', at: 1 }).state)).toEqual(['pending', 'started']);
    const outcome = { status: 'succeeded' as const, output: 1 };
    const done = advance(FACTS, state, { type: 'tool-settled', callId: 'b', outcome, at: 2 });
    expect(done.effects).toEqual([{ type: 'ask-approval' }]);
  });

  it('start when they were approved, and end as denied when they were shown and not approved', () => {
    const state = requested([callOf('a'), callOf('b'), callOf('later')]);
    const { state: next, effects } = decide(state, ['a', 'later'], ['a', 'b']);
    expect(states(next)).toEqual(['started', 'done', 'pending']);
    expect(next.calls[1]?.outcome).toEqual({ status: 'skipped', code: 'DENIED', message: 'no' });
    expect(effects).toEqual([{ type: 'save' }, { type: 'run-tools', callIds: ['a'] }]);
    expect(decide(state, [], ['a', 'b']).effects).toEqual([{ type: 'ask-approval' }]);
  });

  it('are asked for again after a crash before the question was stored, and never run by it', () => {
    const { state, effects } = advance(FACTS, requested([callOf('a')]), { type: 'taken-over', fromSeq: 1, at: 1 });
    expect(states(state)).toEqual(['pending']);
    expect(effects).toEqual([{ type: 'ask-approval' }]);
  });

  it('run again after a crash in the middle only where that cannot take effect twice', () => {
    const calls = [callOf('a', { once: true }), callOf('b'), callOf('reads', { action: false })];
    const ids = calls.map(({ id }) => id);
    const approved = decide(requested(calls), ids, ids).state;
    const { state, effects } = advance(FACTS, approved, { type: 'taken-over', fromSeq: 1, at: 1 });
    expect(states(state)).toEqual(['started', 'done', 'done']);
    expect(state.calls[1]?.outcome).toMatchObject({ code: 'TOOL_INTERRUPTED' });
    expect(state.calls[2]?.outcome).toMatchObject({ code: 'TOOL_INTERRUPTED' });
    expect(effects).toEqual([{ type: 'save' }, { type: 'run-tools', callIds: ['a'] }]);
  });

  it('are refused if no person can be asked, and if the arguments differ from those that were shown', () => {
    const open = (more: Partial<OpenCall>): OpenCall => ({ ...callOf('a'), state: 'started', ...more });
    const digest = digestOf({ amount: 5 });
    const approved = open({ approval: { by: 'USER', digest, decision: 'APPROVED' } });
    expect(beforeRun(FACTS, approved)).toBeNull();
    expect(beforeRun(FACTS, { ...approved, arguments: { amount: 500 } })).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(beforeRun({ ...FACTS, canAsk: false }, open({}))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
  });

  it('are shown as one choice, by the strictest of their approvers', () => {
    const [one, two] = requested([callOf('a'), callOf('b', { approval: { by: 'ADMIN', digest: 'd' } })]).calls as [
      OpenCall,
      OpenCall,
    ];
    expect(approvalForm([one])).toMatchObject({
      form: { kind: 'single_choice', options: [{ id: 'approve' }, { id: 'deny' }], allowOther: true },
      approval: { by: 'USER', calls: [{ call_id: 'a', arguments: { amount: 5 } }] },
    });
    expect(approvalForm([one, two])).toMatchObject({
      form: { kind: 'multiple_choice', options: [{ id: 'a' }, { id: 'b' }], minSelections: 0 },
      approval: { by: 'ADMIN' },
    });
  });

  it('are approved by the answer alone, and by nothing that was not answered', () => {
    const calls = [{ call_id: 'a' }];
    const single = { kind: 'single_choice', status: 'ANSWERED', calls } as const;
    expect([...approvedIds({ ...single, selectedOptionIds: ['approve'] })]).toEqual(['a']);
    expect([...approvedIds({ ...single, selectedOptionIds: ['deny'] })]).toEqual([]);
    expect([...approvedIds({ ...single, status: 'EXPIRED', selectedOptionIds: ['approve'] })]).toEqual([]);
    expect(denialOf({ status: 'ANSWERED', otherText: 'too much' })).toContain('too much');
  });
});
