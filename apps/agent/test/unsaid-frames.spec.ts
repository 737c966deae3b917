import {
  FACTS,
  tool,
  calls,
  say,
  think,
  finish,
  done,
  restart,
  PLAIN,
  Told,
  heardOf,
  unsaid,
  parsed,
  brief,
  inAnyOrder,
} from './told-turn';
import { type InteractionRecord, TurnFrameWriter, type TurnRecord } from '@switchyard/contracts';
import { missingFrames, unsaidOf } from '../src/domain/stored-turn';
import { leftResult, turnResult } from '../src/domain/turn-outcome';
import { saidSoFar, unsaidFrames } from '../src/domain/unsaid-frames';
import type { Update } from '../src/domain/turn-update';

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

describe('the rest of a turn in which much happens', () => {
  const much: Update[] = [
    { type: 'begin' },
    calls('m1'),
    ...think('Let ', 'me ', 'think'),
    ...say('I ', 'look'),
    finish([tool('c1'), tool('c2')], 3),
    { type: 'tools-started', at: 1 },
    done('c2', { rows: 2 }),
    { type: 'tool-settled', callId: 'c1', outcome: { status: 'failed', code: 'X', message: 'y' }, at: 3 },
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
    const writer = new TurnFrameWriter(5);
    const rest = unsaid(told, 5).map((body) => writer.write(body, 1));
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
