import { type InteractionRecord, TurnFrameWriter } from '@switchyard/contracts';
import {
  tool,
  calls,
  say,
  think,
  finish,
  done,
  refuse,
  Told,
  heardOf,
  unsaid,
  parsed,
  brief,
  numbered,
  countedBy,
} from './told-turn';
import { unsaidOf } from '../src/domain/stored-turn';
import { saidSoFar, unsaidFrames } from '../src/domain/unsaid-frames';
import type { Update } from '../src/domain/turn-update';

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
    const writer = new TurnFrameWriter(kept);
    const rest = unsaid(told, kept).map((body) => writer.write(body, 1));
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
