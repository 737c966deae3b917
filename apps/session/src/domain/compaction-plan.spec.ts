import * as fc from 'fast-check';
import { planCompaction, SUMMARY_MAX_TOKENS } from './compaction-plan';
import { ContextEntry, tokensOf, wholeEntries } from './context-messages';

type Step = { calls: number; results: number; tokens: number; event: boolean };
type Exchange = { question: number; steps: Step[]; answer: number | null };

const step = fc.record({
  calls: fc.integer({ min: 1, max: 4 }),
  results: fc.integer({ min: 0, max: 4 }),
  tokens: fc.integer({ min: 1, max: 3000 }),
  event: fc.boolean(),
});
const exchange = fc.record({
  question: fc.integer({ min: 1, max: 3000 }),
  steps: fc.array(step, { maxLength: 4 }),
  answer: fc.option(fc.integer({ min: 1, max: 3000 })),
});
const transcript = fc.array(exchange, { maxLength: 12 });
const present = fc.record({
  summaryTokens: fc.integer({ min: 0, max: 512 }),
  window: fc.integer({ min: 100, max: 20_000 }),
});

/** A transcript as turns leave it: some calls without a result, where a turn was cancelled. */
function entriesOf(exchanges: Exchange[]): ContextEntry[] {
  const entries: ContextEntry[] = [];
  const add = (role: ContextEntry['role'], tokens: number, rest: Partial<ContextEntry> = {}): void => {
    const seq = entries.length + 1;
    entries.push({
      id: `m${seq}`,
      seq,
      role,
      content: [{ type: 'text', text: `t${seq}` }],
      toolCalls: null,
      toolCallId: null,
      name: null,
      tokens,
      ...rest,
    });
  };
  for (const { question, steps, answer } of exchanges) {
    add('user', question);
    for (const { calls, results, tokens, event } of steps) {
      const ids = Array.from({ length: calls }, (_, n) => `c${entries.length}-${n}`);
      add('assistant', tokens, { toolCalls: ids.map((id) => ({ id, name: 'tool', arguments: {} })) });
      if (event) add('event', 0);
      for (const id of ids.slice(0, results)) add('tool', tokens, { toolCallId: id });
    }
    if (answer !== null) add('assistant', answer);
  }
  return entries;
}

const callsOf = (entries: ContextEntry[]): string[] =>
  entries.flatMap((entry) => (entry.toolCalls ?? []).map((call) => call.id));
const resultsOf = (entries: ContextEntry[]): string[] =>
  entries.flatMap((entry) => (entry.toolCallId === null ? [] : [entry.toolCallId]));

describe('a compaction plan', () => {
  it('parts no tool call from its result', () => {
    fc.assert(
      fc.property(transcript, present, (exchanges, state) => {
        const plan = planCompaction(entriesOf(exchanges), state);
        if (!plan) return;
        for (const part of [plan.summarised, plan.kept]) {
          expect(resultsOf(part).sort()).toEqual(callsOf(part).sort());
        }
        expect(plan.kept[0]?.role).not.toBe('tool');
      }),
    );
  });

  it('loses nothing and changes no order: the two parts together are the context', () => {
    fc.assert(
      fc.property(transcript, present, (exchanges, state) => {
        const entries = entriesOf(exchanges);
        const plan = planCompaction(entries, state);
        if (!plan) return;
        expect([...plan.summarised, ...plan.kept]).toEqual(wholeEntries(entries));
        expect(plan.summarised.every((entry) => entry.seq <= plan.summarySeq)).toBe(true);
        expect(plan.kept.every((entry) => entry.seq > plan.summarySeq)).toBe(true);
      }),
    );
  });

  it('keeps the last exchange word for word', () => {
    fc.assert(
      fc.property(transcript, present, (exchanges, state) => {
        const entries = entriesOf(exchanges);
        const plan = planCompaction(entries, state);
        if (!plan) return;
        const whole = wholeEntries(entries);
        const from = whole.findLastIndex((entry) => entry.role === 'user');
        expect(plan.kept.slice(-(whole.length - from))).toEqual(whole.slice(from));
      }),
    );
  });

  it('always makes room, and its summary is bounded', () => {
    fc.assert(
      fc.property(transcript, present, (exchanges, state) => {
        const entries = entriesOf(exchanges);
        const plan = planCompaction(entries, state);
        if (!plan) return;
        const before = state.summaryTokens + tokensOf(wholeEntries(entries));
        expect(plan.summaryTokens + tokensOf(plan.kept)).toBeLessThanOrEqual(before);
        expect(plan.summaryTokens).toBeLessThanOrEqual(SUMMARY_MAX_TOKENS);
      }),
    );
  });

  it('can be carried on from: the kept part is a context of its own', () => {
    fc.assert(
      fc.property(transcript, present, (exchanges, state) => {
        const plan = planCompaction(entriesOf(exchanges), state);
        if (plan) expect(wholeEntries(plan.kept)).toEqual(plan.kept);
      }),
    );
  });

  it('makes none of a single exchange, nor of nothing', () => {
    expect(planCompaction([], { summaryTokens: 0, window: 8000 })).toBeNull();
    expect(
      planCompaction(entriesOf([{ question: 5, steps: [], answer: 5 }]), { summaryTokens: 0, window: 8000 }),
    ).toBeNull();
  });

  it('makes one of two short exchanges', () => {
    const two = Array.from({ length: 2 }, () => ({ question: 5, steps: [], answer: 5 }));
    const plan = planCompaction(entriesOf(two), { summaryTokens: 0, window: 128_000 });
    expect(plan).toMatchObject({ summarySeq: 2, summaryTokens: 5 });
    expect(plan?.kept.map((entry) => entry.seq)).toEqual([3, 4]);
  });

  it('keeps a quarter of the window when there is more', () => {
    const many = Array.from({ length: 40 }, () => ({ question: 100, steps: [], answer: 100 }));
    const plan = planCompaction(entriesOf(many), { summaryTokens: 0, window: 8000 });
    expect(tokensOf(plan?.kept ?? [])).toBe(2000);
  });
});
