import { type TemplateVariables, rendering } from './render-template';
import { TemplateOutputLimit, inOneGo } from './template-output-limit';

const MIB = 1024 * 1024;
const scope: TemplateVariables = {
  execution: {
    id: 'e',
    taskId: 't',
    attempt: 1,
    scheduledFor: null,
    inputs: {
      n: 1,
      wide: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, 1])),
      many: Array(100_000).fill(1),
      kilo: 'x'.repeat(1000),
      mega: 'x'.repeat(MIB - 100),
      list: Array(1000).fill('y'.repeat(1000)),
    },
  },
  steps: {},
};
const render = (value: unknown, limit = MIB): unknown =>
  inOneGo(rendering(value, scope, new TemplateOutputLimit({ valueBytes: limit, stepBytes: limit })));

describe('filling a step in', () => {
  it('fills every text of a value and leaves the rest', () => {
    const value = { a: ['{{ execution.inputs.n }}', 'n={{ execution.inputs.n }}', 5], '{{ key }}': null };
    expect(render(value)).toEqual({ a: [1, 'n=1', 5], '{{ key }}': null });
  });

  it('says what is wrong with a text that was saved by other rules', () => {
    const text = '{{ execution.inputs.n }}'.repeat(4001);
    expect(() => render({ text })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('4000 expressions') as string,
      }),
    );
  });

  it('stops a step that would grow without end', () => {
    expect(() => render(Array(20).fill('{{ execution.inputs.kilo }}'), 10_000)).toThrow(/over 10000 bytes/);
  });

  it.each([
    ['replace', `{{ execution.inputs.mega | replace: "x", "${'z'.repeat(4000)}" }}`],
    ['replace of nothing but itself', `{{ execution.inputs.mega | replace: "x", "xx" | replace: "x", "xx" }}`],
    ['split', '{{ execution.inputs.mega | split: "" }}'],
    ['join', `{{ execution.inputs.list | join: "${'-'.repeat(4000)}" }}`],
    ['json', `{{ execution.inputs.list | json ${'| json '.repeat(40)}}}`],
    ['base64', '{{ execution.inputs.mega | base64 }}'],
    ['urlencode', '{{ execution.inputs.mega | replace: "x", " " | urlencode }}'],
    ['many expressions in one text', '{{ execution.inputs.mega }}'.repeat(3000)],
  ])('refuses before it builds: %s', (_, text) => {
    const before = process.memoryUsage().heapUsed;
    expect(() => render({ text })).toThrow(/TASK_(VALUE|STEP)_MAX_BYTES/);
    // A few values of a mebibyte each, not what it would have become.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * MIB);
  });

  it('refuses expressions that read a large value over and over', () => {
    const text = '{{ execution.inputs.mega | upper | length }} '.repeat(1000);
    expect(() => render({ text })).toThrow(/read more than/);
  });

  it('counts the fields of an object once', () => {
    // Counted by each of them, this takes minutes.
    const texts = Array(8).fill('{{ execution.inputs.wide | length }} '.repeat(1000));
    expect(render(texts)).toEqual(Array(8).fill('100000 '.repeat(1000)));
  });

  it('refuses expressions that copy a long list over and over', () => {
    const text = '{{ execution.inputs.many | slice: 1 | length }} '.repeat(1000);
    expect(() => render({ text })).toThrow(/read more than/);
  });

  it('reads no long text as a number', () => {
    expect(render(`{{ execution.inputs.mega | plus: 1 }}`)).toBeNull();
    expect(render(`{{ "${'0'.repeat(1200)}1" | plus: 1 }}`)).toBeNull();
    expect(render(`{{ "${'0'.repeat(900)}1" | plus: 1 }}`)).toBe(2);
  });

  it('pauses while it works', () => {
    const text = '{{ execution.inputs.mega | upper | length }} '.repeat(5);
    let pauses = 0;
    const slices = rendering({ text }, scope, new TemplateOutputLimit({ valueBytes: MIB, stepBytes: MIB }));
    for (let step = slices.next(); step.done !== true; step = slices.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(5);
  });
});
