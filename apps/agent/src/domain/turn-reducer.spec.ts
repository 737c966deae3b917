import { type FrameBody, PRODUCT_EVENTS, REASONING_MAX } from '@switchyard/contracts';
import { modelMessages } from './model-messages';
import { advance, PAUSE_FRAMES } from './turn-reducer';
import { newTurnState, type OpenCall, openMessage, type ToolCall, type TurnFacts, type TurnState } from './turn-state';
import type { Effect, Update } from './turn-update';
import { transcriptOf, turnResult } from './turn-outcome';

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
const USAGE = { promptTokens: 10, completionTokens: 5, cost: 1 };

const tool = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: 'look',
  arguments: {},
  source: 'builtin',
  action: false,
  ...more,
});
const said = (toolCalls: ToolCall[] = [], more: object = {}): Update => ({
  type: 'model-finished',
  toolCalls,
  usage: USAGE,
  finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  model: 'm',
  ...more,
});
const finished = (callId: string, output: unknown = 'out'): Update => ({
  type: 'tool-settled',
  callId,
  outcome: { status: 'succeeded', output },
  at: 2000,
});

interface Data {
  event: string;
}

class Play {
  state: TurnState;
  frames: FrameBody[] = [];
  effects: Effect[] = [];

  constructor(
    private readonly facts: TurnFacts = FACTS,
    state: TurnState = newTurnState('m'),
  ) {
    this.state = state;
  }

  apply(...updates: Update[]): this {
    for (const update of updates) {
      const step = advance(this.facts, this.state, update);
      this.state = step.state;
      this.frames.push(...step.frames);
      this.effects = step.effects;
    }
    return this;
  }

  get events(): unknown[] {
    return this.frames.map((frame) => (frame.data as { event?: string }).event ?? frame.method);
  }
}

const answering = (): Play => new Play().apply({ type: 'begin' }, { type: 'model-called', messageId: 'msg' });
const withTools = (...calls: ToolCall[]): Play => answering().apply(said(calls));

describe('a turn', () => {
  it('says its text within one announced message and then asks to be stored', () => {
    const play = answering().apply({ type: 'delta', text: 'Hel' }, { type: 'delta', text: 'lo' }, said());
    expect(play.events).toEqual([
      'started',
      PRODUCT_EVENTS.sessionStarted,
      'running',
      'message-start',
      'content-block-start',
      'content-block-finish',
      'message-finish',
    ]);
    expect(play.effects).toEqual([{ type: 'close' }]);
    expect(play.state.ending).toMatchObject({
      status: 'COMPLETED',
      finishReason: 'stop',
      answer: 'Hello',
      messageId: 'msg',
    });
    expect(turnResult(FACTS, play.state, 1500)).toMatchObject({
      answer: 'Hello',
      tokens_used: 15,
      execution_time: 1.5,
      token_usage: { total_tokens: 15 },
    });
  });

  it('stores its calls as started before any of them runs', () => {
    const play = withTools(tool('1'), tool('2'));
    expect(play.effects).toEqual([{ type: 'save' }, { type: 'run-tools', callIds: ['1', '2'] }]);
    expect(play.state.calls.map(({ state }) => state)).toEqual(['started', 'started']);
  });

  it('calls the model again only when every tool is done', () => {
    const play = withTools(tool('1'), tool('2')).apply({ type: 'tools-started', at: 1000 }, finished('2'));
    expect(play.effects).toEqual([{ type: 'save' }]);
    play.apply(finished('1'));
    expect(play.effects).toEqual([{ type: 'save' }, { type: 'call-model' }]);
    expect(play.state.executions.map((execution) => [execution.tool_call_id, execution.duration_ms])).toEqual([
      ['2', 1000],
      ['1', 1000],
    ]);
  });

  it('takes a result once', () => {
    const play = withTools(tool('1')).apply({ type: 'tools-started', at: 1000 }, finished('1'));
    const before = play.state;
    play.apply(finished('1', 'again'));
    expect(play.state.steps).toEqual(before.steps);
  });

  it('asks the user when the other tools are done, and goes on with the answer', () => {
    const play = withTools(tool('q', { name: 'ask_user' }), tool('1')).apply(
      { type: 'tools-started', at: 1 },
      finished('1'),
    );
    expect(play.effects).toEqual([{ type: 'ask', callId: 'q' }]);
    const before = play.frames.length;
    play.apply({ type: 'asked', interaction: { id: 'i' } });
    expect(play.frames.length - before).toBe(PAUSE_FRAMES);
    expect(play.events.slice(-4)).toEqual([
      'input',
      PRODUCT_EVENTS.agentInputRequired,
      'interrupted',
      PRODUCT_EVENTS.streamEnded,
    ]);
    expect(turnResult(FACTS, play.state, 0)).toMatchObject({ status: 'WAITING_INPUT', interaction: { id: 'i' } });
    play.apply({ type: 'answered', callId: 'q', output: { selected: [] }, interaction: { id: 'i' }, at: 5 });
    expect(play.effects).toEqual([{ type: 'save' }, { type: 'call-model' }]);
  });

  it('ends at the step limit with every call answered', () => {
    const play = new Play({ ...FACTS, maxSteps: 1 }).apply(
      { type: 'begin' },
      { type: 'model-called', messageId: 'm1' },
      said([tool('1')]),
    );
    expect(play.state.ending).toMatchObject({ status: 'COMPLETED', finishReason: 'max_steps' });
    expect(transcriptOf(play.state).map(({ role }) => role)).toEqual(['assistant', 'tool']);
  });

  it('keeps what was said when it is cancelled, in every phase', () => {
    const streaming = answering().apply({ type: 'delta', text: 'Hal' }, { type: 'cancelled' });
    expect(streaming.state.ending).toMatchObject({ status: 'CANCELLED', answer: 'Hal' });
    expect(transcriptOf(streaming.state)).toEqual([
      expect.objectContaining({ role: 'assistant', finishReason: 'cancelled' }),
    ]);
    const working = withTools(tool('1')).apply({ type: 'tools-started', at: 1 }, { type: 'cancelled' });
    expect(working.state.calls.every(({ state }) => state === 'done')).toBe(true);
    for (const play of [new Play().apply({ type: 'begin' }, { type: 'cancelled' }), streaming, working]) {
      expect(play.effects).toEqual([{ type: 'close' }]);
      expect(play.apply({ type: 'delta', text: 'late' }, said(), { type: 'cancelled' }).effects).toEqual([]);
      expect(play.state.ending?.status).toBe('CANCELLED');
    }
  });

  it('never has a call without a result in its transcript', () => {
    const calls = [tool('1'), tool('2', { action: true }), tool('q', { name: 'ask_user' })];
    const ends: Update[] = [{ type: 'cancelled' }, { type: 'failed', code: 'TIMEOUT', message: 'x', retryable: true }];
    for (const end of ends) {
      const play = withTools(...calls).apply({ type: 'tools-started', at: 1 }, finished('1'), end);
      const messages = transcriptOf(play.state);
      const callIds = messages.flatMap((message) => message.toolCalls ?? []).map(({ id }) => id);
      const answered = messages.flatMap((message) => message.toolCallId ?? []);
      expect(answered.sort()).toEqual(callIds.sort());
    }
  });

  it('repairs an answer that does not fit its schema once, and shows only the repaired one', () => {
    const bad = { answerCheck: { ok: false, problem: 'it is not JSON', fromSeq: 4 } };
    const play = new Play({ ...FACTS, structured: true }).apply(
      { type: 'begin' },
      { type: 'model-called', messageId: 'm1' },
      { type: 'delta', text: 'no' },
      said([], bad),
    );
    expect(play.effects).toEqual([{ type: 'call-model' }]);
    // Readers have heard it: they are told that it does not count.
    expect(play.frames.at(-1)?.data).toEqual({ event: PRODUCT_EVENTS.stepRestarted, from_seq: 4 });
    expect(turnResult(FACTS, play.state, 0).answer).toBe('');
    const repaired = new Play({ ...FACTS, structured: true }, play.state).apply(
      { type: 'model-called', messageId: 'm2' },
      { type: 'delta', text: '{}' },
      said([], { answerCheck: { ok: true, output: {} } }),
    );
    expect(repaired.state.ending).toMatchObject({ status: 'COMPLETED', answer: '{}', output: {} });
    expect(transcriptOf(repaired.state)).toHaveLength(1);
    // A turn that is stopped before its next answer has none.
    const stopped = new Play({ ...FACTS, structured: true }, play.state).apply({ type: 'cancelled' });
    expect(stopped.state.ending).toMatchObject({ status: 'CANCELLED', answer: '', messageId: null });
    expect(transcriptOf(stopped.state)).toEqual([]);
    play.apply({ type: 'model-called', messageId: 'm2' }, said([], bad));
    // The schema may be the agent's own or of this turn alone.
    const message =
      'The model did not answer with JSON that matches the responseSchema. Try again, or loosen the schema.';
    expect(play.state.ending).toMatchObject({ status: 'FAILED', error: { code: 'RUNTIME_UNAVAILABLE', message } });
  });

  describe('whose model thinks', () => {
    const called: Update = { type: 'model-called', messageId: 'm' };
    const thought = (text: string): Update => ({ type: 'reasoning', text });
    const blocks = (play: Play): unknown[] =>
      play.frames.filter(({ data }) => (data as Data).event.startsWith('content-block')).map(({ data }) => data);

    it('shows thoughts in a block of their own, before the words', () => {
      const play = new Play().apply({ type: 'begin' }, called, thought('Let me'), thought(' see'));
      play.apply({ type: 'delta', text: 'Yes' }, said());
      expect(blocks(play)).toEqual([
        { event: 'content-block-start', index: 0, content: { type: 'reasoning', reasoning: '' } },
        { event: 'content-block-finish', index: 0, content: { type: 'reasoning', reasoning: 'Let me see' } },
        { event: 'content-block-start', index: 1, content: { type: 'text', text: '' } },
        { event: 'content-block-finish', index: 1, content: { type: 'text', text: 'Yes' } },
      ]);
      expect(turnResult(FACTS, play.state, 0)).toMatchObject({ answer: 'Yes', reasoning: 'Let me see' });
      expect(transcriptOf(play.state)).toMatchObject([{ reasoning: 'Let me see', content: [{ text: 'Yes' }] }]);
    });

    it('closes a block before the next one, also where thoughts and words take turns', () => {
      const play = new Play().apply(
        { type: 'begin' },
        called,
        thought('a'),
        { type: 'delta', text: 'b' },
        thought('c'),
      );
      play.apply(said([tool('1')]));
      expect(blocks(play)).toMatchObject([
        { index: 0, content: { type: 'reasoning' } },
        { index: 0, content: { reasoning: 'a' } },
        { index: 1, content: { type: 'text' } },
        { index: 1, content: { text: 'b' } },
        { index: 2, content: { type: 'reasoning' } },
        { index: 2, content: { reasoning: 'c' } },
        { index: 3, content: { type: 'tool_call_chunk' } },
        { index: 3, content: { type: 'tool_call' } },
      ]);
      expect(play.state.steps[0]).toMatchObject({ text: 'b', reasoning: 'ac' });
    });

    it('keeps what it had thought when it is cancelled', () => {
      const play = new Play().apply({ type: 'begin' }, called, thought('half a'), { type: 'cancelled' });
      expect(blocks(play).at(-1)).toMatchObject({ content: { reasoning: 'half a' } });
      expect(transcriptOf(play.state)).toMatchObject([{ reasoning: 'half a', content: [], finishReason: 'cancelled' }]);
    });

    it('keeps so much of all its thoughts, and no half of a character', () => {
      const long = 'x'.repeat(REASONING_MAX - 5);
      const play = new Play().apply({ type: 'begin' }, called, thought(long), said([tool('1')]), finished('1'), called);
      play.apply(thought('ab\u{1F600}'), thought('more'), said());
      const result = turnResult(FACTS, play.state, 0);
      expect(result.reasoning).toBe(`${long}\n\nab\ufffd`);
      expect(result.reasoning?.length).toBe(REASONING_MAX);
    });

    it('sends no model what it or another has thought', () => {
      const play = new Play().apply({ type: 'begin' }, called, thought('secret'), said([tool('1')]), finished('1'));
      const messages = modelMessages({
        prompt: 'p',
        memories: [],
        context: null,
        contents: [],
        evidence: [],
        steps: play.state.steps,
      });
      expect(play.state.steps[0]?.reasoning).toBe('secret');
      expect(JSON.stringify(messages)).not.toContain('secret');
    });
  });

  describe('that another process takes over', () => {
    const crashed = (calls: ToolCall[], done: string[] = []): TurnState => {
      const play = withTools(...calls).apply({ type: 'tools-started', at: 1 }, ...done.map((id) => finished(id)));
      return play.state;
    };
    const taken: Update = { type: 'taken-over', fromSeq: 9, at: 5 };

    it('says first from where its words are void', () => {
      const play = new Play(FACTS, {
        ...answering().state,
        open: { ...openMessage('m'), text: 'half', announced: true },
      }).apply(taken);
      expect(play.frames[0]?.data).toEqual({ event: PRODUCT_EVENTS.stepRestarted, from_seq: 9 });
      expect(play.effects).toEqual([{ type: 'call-model' }]);
      expect(play.state.open).toBeNull();
    });

    it('runs what only reads again, and never what may have taken effect', () => {
      const play = new Play(FACTS, crashed([tool('r'), tool('w', { action: true })])).apply(taken);
      expect(play.effects).toEqual([{ type: 'save' }, { type: 'run-tools', callIds: ['r'] }]);
      const write = play.state.calls.find((call: OpenCall) => call.id === 'w');
      expect(write?.outcome).toMatchObject({ status: 'failed', code: 'TOOL_INTERRUPTED' });
    });

    it('waits on for the answers of its host', () => {
      const play = new Play(FACTS, crashed([tool('l', { source: 'local', action: true })])).apply(taken);
      expect(play.effects).toEqual([{ type: 'save' }, { type: 'run-tools', callIds: ['l'] }]);
    });

    it('does not repeat what has a result', () => {
      const play = new Play(FACTS, crashed([tool('1'), tool('2')], ['1', '2'])).apply(taken);
      expect(play.effects).toEqual([{ type: 'call-model' }]);
      expect(play.state.executions).toHaveLength(2);
    });
  });
});
