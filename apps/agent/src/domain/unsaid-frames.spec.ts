import type { TurnRecord } from '@switchyard/contracts';
import { type FrameBody, FrameNumbering } from './frame';
import { HeardFrames } from './heard-frames';
import { missingFrames, unsaidOf } from './stored-turn';
import { advance } from './turn';
import { leftResult, turnResult } from './turn-outcome';
import { type InteractionRecord, newTurnState, type ToolCall, type TurnFacts, type TurnState } from './turn-state';
import { saidSoFar, unsaidFrames } from './unsaid-frames';
import type { Update } from './turn-update';

const FACTS: TurnFacts = {
  turnId: 't',
  sessionId: 's',
  agentId: 'a',
  agentName: 'Guide',
  kind: 'chat',
  maxSteps: 5,
  askMode: false,
  canAsk: true,
  hasKnowledge: false,
  structured: false,
};
const usage = (tokens: number): { promptTokens: number; completionTokens: number; cost: number } => ({
  promptTokens: tokens,
  completionTokens: tokens,
  cost: 0,
});
const tool = (id: string, name = 'look'): ToolCall => ({
  id,
  name,
  arguments: { of: id },
  source: 'builtin',
  action: false,
});

const calls = (messageId: string): Update => ({ type: 'model-called', messageId });
const say = (...words: string[]): Update[] => words.map((text) => ({ type: 'delta', text }));
const think = (...words: string[]): Update[] => words.map((text) => ({ type: 'reasoning', text }));
const finish = (toolCalls: ToolCall[] = [], tokens = 7): Update => ({
  type: 'model-finished',
  toolCalls,
  usage: usage(tokens),
  finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  model: 'm',
});
const done = (callId: string, output: unknown = 'out'): Update => ({
  type: 'tool-finished',
  callId,
  outcome: { status: 'succeeded', output },
  at: 2,
});
const refuse = (fromSeq: number): Update => ({
  ...(finish() as Extract<Update, { type: 'model-finished' }>),
  verdict: { ok: false, problem: 'it is not JSON', fromSeq },
});
const restart = (fromSeq: number): Update => ({ type: 'taken-over', fromSeq, at: 5 });

const PLAIN = [{ type: 'begin' } as const, calls('m1'), ...say('One ', 'two ', 'three'), finish()];

/** A turn as its holder says it, whether the log gets it or not. */
class Told {
  readonly lines: string[] = [];
  state: TurnState = newTurnState('m');
  private readonly numbering = new FrameNumbering();

  constructor(
    updates: readonly Update[],
    private readonly facts: TurnFacts = FACTS,
  ) {
    for (const update of updates) {
      const { open } = this.state;
      const { state, frames } = advance(this.facts, this.state, update);
      this.state = state;
      for (const frame of frames) this.lines.push(this.numbering.write(frame, 1));
      if (update.type === 'delta')
        this.lines.push(this.numbering.writeDelta('content-delta', update.text, open?.id ?? '', 1));
      if (update.type === 'reasoning')
        this.lines.push(this.numbering.writeDelta('reasoning-delta', update.text, open?.id ?? '', 1));
    }
  }

  /** The turn as it is stored. */
  get record(): TurnRecord {
    const { ending, interaction } = this.state;
    const result = leftResult(this.facts, this.state, turnResult(this.facts, this.state, 1));
    return {
      id: 't',
      key: 'k',
      agentId: 'a',
      userId: 'u',
      sessionId: 's',
      status: ending?.status ?? 'WAITING_INPUT',
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:00:01.000Z',
      error: ending?.error ?? null,
      epoch: 1,
      owner: 'gone',
      cancelRequested: false,
      finishReason: ending?.finishReason ?? null,
      usage: null,
      // As the database gives it back.
      result: JSON.parse(JSON.stringify(result)) as unknown,
      interaction: interaction as unknown as TurnRecord['interaction'],
    };
  }

  at(test: (line: string) => boolean): number {
    return this.lines.findIndex(test) + 1;
  }
}

function heardOf(lines: readonly string[]): HeardFrames {
  const heard = new HeardFrames();
  for (const line of lines) heard.take(line);
  return heard;
}

const unsaid = (told: Told, kept: number): FrameBody[] => unsaidOf(told.record, heardOf(told.lines.slice(0, kept)));

// oxlint-disable-next-line typescript/no-explicit-any
type Data = any;
const parsed = (lines: readonly string[]): { method: string; data: Data; seq: number }[] =>
  lines.map((line) => {
    const { method, params, seq } = JSON.parse(line) as { method: string; params: { data: Data }; seq: number };
    return { method, data: params.data, seq };
  });

const brief = (frames: readonly { method: string; data: Data }[]): string[] =>
  frames.map(({ method, data }) => {
    const { event, delta, content, status, id } = data;
    return [
      method === 'tools' || method === 'custom:service' || method === 'messages' ? event : `${method} ${event}`,
      delta ?? content?.text ?? content?.reasoning ?? content?.id ?? status ?? id,
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  });

/** What counts of a stream to whoever reads all of it. */
function heardBy(frames: readonly { method: string; data: Data }[]): unknown {
  const texts: Record<string, string> = {};
  const events: string[] = [];
  for (const { method, data } of frames) {
    if (data.event === 'content-delta' || data.event === 'reasoning-delta') {
      const name = `${data.event} ${data.message_id}`;
      texts[name] = `${texts[name] ?? ''}${data.delta}`;
    } else events.push(`${method} ${JSON.stringify(data)}`);
  }
  return { texts, events };
}

const numbered = (bodies: readonly FrameBody[], after: number): ReturnType<typeof parsed> => {
  const numbering = new FrameNumbering(after);
  return parsed(bodies.map((body) => numbering.write(body, 1)));
};

/** What counts of a stream that takes back some of what it said: its texts, and what became of its tools. */
function countedBy(frames: readonly { data: Data; seq: number }[]): { texts: Record<string, string>; tools: string[] } {
  let counted = [...frames];
  for (const { data, seq } of frames)
    if (data.event === 'step-restarted')
      counted = counted.filter((frame) => frame.seq < data.from_seq || frame.seq > seq);
  const texts: Record<string, string> = {};
  for (const { data } of counted)
    if (data.delta !== undefined) {
      const name = `${data.event} ${data.message_id}`;
      texts[name] = `${texts[name] ?? ''}${data.delta}`;
    }
  const tools = counted.filter(({ data }) => data.event === 'tool-execution').map(({ data }) => JSON.stringify(data));
  return { texts, tools: tools.sort() };
}

/** Tools of one step begin side by side; whoever hears of them later hears of one after the other. */
const inAnyOrder = (frames: readonly { method: string; data: Data }[]): unknown => {
  const { texts, events } = heardBy(frames) as { texts: unknown; events: string[] };
  return { texts, events: events.sort() };
};

describe('the rest of a plain answer', () => {
  const told = new Told(PLAIN);
  const at = (words: string): number => told.at((line) => line.includes(`"delta":"${words}"`));

  it('is all of it where nothing was said', () => {
    expect(brief(unsaid(told, at('One ') - 3))).toEqual([
      'message-start m1',
      'content-block-start ',
      'content-delta One two three',
      'content-block-finish One two three',
      'message-finish',
    ]);
  });

  it('is the missing half, and the ends of its block and message', () => {
    const rest = unsaid(told, at('two '));
    expect(brief(rest)).toEqual(['content-delta three', 'content-block-finish One two three', 'message-finish']);
    expect(rest[0]?.data).toMatchObject({ message_id: 'm1' });
    expect(rest.at(-1)?.data).toMatchObject({ usage: { total_tokens: 14 } });
  });

  it('is the ends where all was said', () => {
    expect(brief(unsaid(told, at('three')))).toEqual(['content-block-finish One two three', 'message-finish']);
  });

  it('is the end of the message where its block is finished', () => {
    expect(brief(unsaid(told, at('three') + 1))).toEqual(['message-finish']);
  });

  it('is nothing where the message is finished', () => {
    expect(unsaid(told, at('three') + 2)).toEqual([]);
    expect(brief(missingFrames(told.record, 'Guide', null))).toEqual([
      'response-completed',
      'lifecycle completed',
      'stream-ended COMPLETED',
    ]);
  });

  it('is bounded in each frame, and cuts no character apart', () => {
    const text = `a${'😀'.repeat(40_000)}`;
    const long = new Told([{ type: 'begin' }, calls('m1'), ...say(text), finish()]);
    const deltas = unsaid(long, 3).flatMap(({ data }) => (data as { delta?: string }).delta ?? []);
    expect(deltas.length).toBeGreaterThan(4);
    for (const delta of deltas) expect(delta.isWellFormed() && delta.length <= 16_384).toBe(true);
    expect(deltas.join('')).toBe(text);
  });

  it('does not go on with another text than the stored one', () => {
    const heard = heardOf([...told.lines.slice(0, at('One ')), told.lines[at('One ')]?.replace('two', 'ten') ?? '']);
    expect(brief(unsaidOf(told.record, heard))).toEqual(['content-block-finish One ten ', 'message-finish']);
  });
});

describe('the rest of a step that was said anew', () => {
  const first = [{ type: 'begin' } as const, calls('m1'), ...say('One ', 'ten ')];
  const again = new Told([...first, restart(4), calls('m2'), ...say('One ', 'two ', 'three'), finish()]);
  const restarted = again.at((line) => line.includes('step-restarted'));

  it('is all of the second telling where the first alone was heard: of that nothing counts', () => {
    const rest = brief(unsaid(again, restarted));
    expect(rest[0]).toBe('message-start m2');
    expect(rest).toContain('content-delta One two three');
    expect(rest.filter((frame) => frame === 'message-finish')).toHaveLength(1);
  });

  it('says that the first telling is void, where the word of it was lost too', () => {
    const rest = unsaid(again, restarted - 1);
    expect(rest[0]?.data).toEqual({ event: 'step-restarted', from_seq: 4 });
    expect(brief(rest)).toEqual([
      'step-restarted',
      'message-start m2',
      'content-block-start ',
      'content-delta One two three',
      'content-block-finish One two three',
      'message-finish',
    ]);
  });

  it('begins where the second telling stopped', () => {
    const kept = again.at((line) => line.includes('"delta":"two "'));
    expect(brief(unsaid(again, kept))).toEqual([
      'content-delta three',
      'content-block-finish One two three',
      'message-finish',
    ]);
  });
});

describe('the rest of an answer that had to be repaired', () => {
  const asked: Update[] = [
    { type: 'begin' },
    calls('m1'),
    ...say('Let me see'),
    finish([tool('c1')]),
    { type: 'tools-started', at: 1 },
    done('c1'),
    calls('m2'),
    ...think('Hm'),
    ...say('no ', 'JSON'),
  ];
  const refused = [...asked, refuse(new Told(asked.slice(0, 6)).lines.length + 1)];
  const repair = [calls('m3'), ...think('Oh'), ...say('{"n"', ':1}')];

  it.each([
    ['the turn is complete', [...refused, ...repair, finish()], ['m1', 'm3']],
    ['it was cancelled before it said more', [...refused, { type: 'cancelled' } as const], ['m1']],
    [
      'it was cancelled in the middle of its second answer',
      [...refused, ...repair, { type: 'cancelled' } as const],
      ['m1', 'm3'],
    ],
    ['its second answer is refused too', [...refused, ...repair, refuse(99)], ['m1', 'm3']],
    ['its second answer asks for a tool', [...refused, ...repair, finish([tool('c2')]), done('c2')], ['m1', 'm3']],
  ])('has nothing of it, wherever the log stops: %s', (_, updates, answers) => {
    const told = new Told(updates);
    const whole = countedBy(parsed(told.lines));
    const named = Object.keys(whole.texts).map((name) => name.split(' ')[1]);
    expect([...new Set(named)]).toEqual(answers);
    for (let kept = 3; kept <= told.lines.length; kept += 1) {
      const log = parsed(told.lines.slice(0, kept));
      for (const rest of [unsaid(told, kept), unsaidFrames(heardOf(told.lines.slice(0, kept)), saidSoFar(told.state))])
        expect({ kept, counts: countedBy([...log, ...numbered(rest, kept)]) }).toEqual({ kept, counts: whole });
    }
  });

  it('takes it back once, also where a writer stops in the middle of the rest', () => {
    const told = new Told([...refused, ...repair, finish()]);
    const kept = told.at((line) => line.includes('step-restarted')) - 1;
    const numbering = new FrameNumbering(kept);
    const rest = unsaid(told, kept).map((body) => numbering.write(body, 1));
    expect(brief(parsed(rest)).slice(0, 2)).toEqual(['step-restarted', 'message-start m3']);
    for (let wrote = 0; wrote <= rest.length; wrote += 1) {
      const log = [...told.lines.slice(0, kept), ...rest.slice(0, wrote)];
      const second = numbered(unsaidOf(told.record, heardOf(log)), log.length);
      const all = [...parsed(log), ...second];
      expect(brief(all).filter((frame) => frame === 'step-restarted')).toHaveLength(1);
      expect(countedBy(all)).toEqual(countedBy(parsed(told.lines)));
    }
  });

  it('is no longer than what the holder said, where the turn waits with a question', () => {
    const interaction: InteractionRecord = { id: 'i', kind: 'single_choice' };
    const question = [finish([tool('q', 'ask_user')]), { type: 'asked', interaction } as const];
    const told = new Told([...refused, ...repair, ...question]);
    for (let kept = 3; kept <= told.lines.length - 4; kept += 1)
      expect(kept + unsaid(told, kept).length + 4).toBeLessThanOrEqual(told.lines.length);
  });
});

describe('the rest of a turn in which much happens', () => {
  const much: Update[] = [
    { type: 'begin' },
    calls('m1'),
    ...think('Let ', 'me ', 'think'),
    ...say('I ', 'look'),
    finish([tool('c1'), tool('c2')], 3),
    { type: 'tools-started', at: 1 },
    done('c2', { rows: 2 }),
    { type: 'tool-finished', callId: 'c1', outcome: { status: 'failed', code: 'X', message: 'y' }, at: 3 },
    calls('m2'),
    ...say('And ', 'again'),
    finish([tool('c3')], 4),
    { type: 'tools-started', at: 4 },
    done('c3'),
    calls('m3'),
    ...think('Hm'),
    ...say('Here ', 'it ', 'is'),
    finish(),
  ];
  const told = new Told(much);
  it('makes the stream whole wherever the log stops', () => {
    const whole = inAnyOrder(parsed(told.lines));
    for (let kept = 3; kept <= told.lines.length; kept += 1) {
      const frames = [...parsed(told.lines.slice(0, kept)), ...unsaid(told, kept)];
      expect({ kept, heard: inAnyOrder(frames) }).toEqual({ kept, heard: whole });
    }
  });

  it('is the same when a writer stops in the middle of it and the next one goes on', () => {
    const numbering = new FrameNumbering(5);
    const rest = unsaid(told, 5).map((body) => numbering.write(body, 1));
    for (let wrote = 0; wrote <= rest.length; wrote += 1) {
      const log = [...told.lines.slice(0, 5), ...rest.slice(0, wrote)];
      const second = unsaidOf(told.record, heardOf(log));
      expect(inAnyOrder([...parsed(log), ...second])).toEqual(inAnyOrder(parsed(told.lines)));
    }
  });

  it('comes from the state of a turn as well as from what its holder left', () => {
    for (const kept of [4, 12, 24])
      expect(unsaidFrames(heardOf(told.lines.slice(0, kept)), saidSoFar(told.state))).toEqual(unsaid(told, kept));
  });

  it('has a tool that was started for a reader only finished', () => {
    const kept = told.at((line) => line.includes('"status":"started"') && line.includes('"c3"'));
    expect(brief(unsaid(told, kept)).slice(0, 3)).toEqual([
      'tool-finished',
      'tool-execution succeeded',
      'message-start m3',
    ]);
  });

  it('is as much as can be known where the log has lost its beginning', () => {
    const from = told.at((line) => line.includes('"message-start"') && line.includes('"m2"'));
    const heard = heardOf(told.lines.slice(from - 1, from + 2));
    expect(brief(unsaidOf(told.record, heard)).slice(0, 2)).toEqual([
      'content-delta again',
      'content-block-finish And again',
    ]);
    // In the middle of a message nobody knows how much of it was said.
    const cut = heardOf(told.lines.slice(-6, -4));
    expect(brief(unsaidOf(told.record, cut))).toEqual([]);
  });

  it('leaves little beside the result', () => {
    const { steps, ...result } = leftResult(FACTS, told.state, turnResult(FACTS, told.state, 1));
    expect(JSON.stringify(steps)).not.toContain(result.answer);
    const long = new Told([
      { type: 'begin' },
      calls('m1'),
      ...say('x'.repeat(70_000)),
      finish([tool('c1')]),
      done('c1'),
      calls('m2'),
      ...say('y'.repeat(70_000)),
      finish(),
    ]);
    const left = leftResult(FACTS, long.state, turnResult(FACTS, long.state, 1));
    expect(left.steps).toHaveLength(2);
    expect(JSON.stringify(left.steps).length).toBeLessThan(500);
    expect(brief(unsaid(long, 7))).toContain('tool-execution succeeded');
  });
});

describe('the rest of a turn that did not complete', () => {
  const half = [{ type: 'begin' } as const, calls('m1'), ...say('One ', 'two ')];

  it.each([[{ type: 'cancelled' } as const], [{ type: 'failed', code: 'X', message: 'y', retryable: false } as const]])(
    'is what is stored of its answer, and no word more: %j',
    (update) => {
      const told = new Told([...half, update]);
      const kept = told.at((line) => line.includes('"delta":"One "'));
      expect(brief(unsaid(told, kept))).toEqual([
        'content-delta two ',
        'content-block-finish One two ',
        'message-finish',
      ]);
      expect(brief(unsaid(told, kept + 1))).toEqual(['content-block-finish One two ', 'message-finish']);
      // Where nothing of it could be stored, what is open is closed as it stands.
      const bare: TurnRecord = { ...told.record, result: null };
      expect(brief(unsaidOf(bare, heardOf(told.lines.slice(0, kept))))).toEqual([
        'content-block-finish One ',
        'message-finish',
      ]);
    },
  );

  it('tells what became of the tools that were under way', () => {
    const told = new Told([
      ...half,
      finish([tool('c1'), tool('c2')]),
      { type: 'tools-started', at: 1 },
      done('c2'),
      { type: 'cancelled' },
    ]);
    const kept = told.at((line) => line.includes('"c2"') && line.includes('"status":"started"'));
    expect(brief(unsaid(told, kept))).toEqual([
      'tool-finished',
      'tool-execution succeeded',
      'tool-error',
      'tool-execution skipped',
    ]);
  });
});

describe('the rest of a stretch that ends with a question', () => {
  const interaction: InteractionRecord = { id: 'i', kind: 'single_choice' };
  const told = new Told([
    { type: 'begin' },
    calls('m1'),
    ...say('x'.repeat(20_000), 'y'.repeat(20_000)),
    finish([tool('c1'), tool('c2', 'ask_user')]),
    { type: 'tools-started', at: 1 },
    done('c1'),
    { type: 'asked', interaction },
  ]);
  const pause = 4;

  it('stands before the question, and is no longer than what the holder said', () => {
    for (let kept = 3; kept <= told.lines.length - pause; kept += 1) {
      const rest = [...unsaid(told, kept), ...missingFrames(told.record, 'Guide', null)];
      expect(kept + rest.length).toBeLessThanOrEqual(told.lines.length);
      expect(inAnyOrder([...parsed(told.lines.slice(0, kept)), ...rest])).toEqual(inAnyOrder(parsed(told.lines)));
    }
  });
});

describe('knowledge', () => {
  it('is told where it was retrieved and not told yet', () => {
    const items = [{ dataset_id: 'd', record_id: 'r', score: 1, text: 'x', fields: {} }];
    const told = new Told([...PLAIN.slice(0, 1), { type: 'retrieved', items }, ...PLAIN.slice(1)], {
      ...FACTS,
      hasKnowledge: true,
    });
    expect(brief(unsaid(told, 3)).slice(0, 2)).toEqual(['knowledge-evidence', 'message-start m1']);
    expect(brief(unsaid(told, 4))[0]).toBe('message-start m1');
  });
});
