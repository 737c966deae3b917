import { TemplateError, fillIn, parseTemplate } from './template';

const scope = {
  execution: {
    inputs: {
      name: 'Ada',
      count: 3,
      tags: ['a', 'b'],
      nested: { deep: { yes: true } },
      empty: '',
      'odd key': 1,
      trigger: { payload: { id: 7 } },
    },
  },
  steps: { fetch: { output: { status: 200, body: { items: [{ id: 'x' }] } } }, 'with-dash': { output: [1, 2] } },
};
const fill = (text: string): unknown => fillIn(text, scope);

describe('templates', () => {
  it.each([
    ['{{ execution.inputs.count }}', 3],
    ['{{execution.inputs.tags}}', ['a', 'b']],
    ['{{ execution.inputs.nested.deep.yes }}', true],
    ['{{ execution.inputs.trigger.payload.id }}', 7],
    ['{{ steps.fetch.output.body.items[0].id }}', 'x'],
    ['{{ steps.fetch.output.body.items.0.id }}', 'x'],
    ['{{ steps.with-dash.output[1] }}', 2],
    ['{{ execution.inputs["odd key"] }}', 1],
  ])('%s keeps its type', (text, value) => expect(fill(text)).toEqual(value));

  it.each([
    ['Hi {{ execution.inputs.name }}!', 'Hi Ada!'],
    [' {{ execution.inputs.count }}', ' 3'],
    ['{{ execution.inputs.count }}{{ execution.inputs.count }}', '33'],
    ['tags: {{ execution.inputs.tags }}', 'tags: ["a","b"]'],
    ['<{{ execution.inputs.nowhere }}>', '<>'],
    ['no expression }}', 'no expression }}'],
    ['', ''],
  ])('%s becomes text', (text, value) => expect(fill(text)).toBe(value));

  it.each([
    '{{ execution.inputs.nowhere }}',
    '{{ nowhere }}',
    '{{ steps.none.output.a.b.c }}',
    '{{ execution.inputs.tags[9] }}',
  ])('%s is missing, and null', (text) => expect(fill(text)).toBeNull());

  it.each([
    '{{ execution.constructor }}',
    '{{ execution.inputs.constructor }}',
    '{{ execution.inputs.prototype }}',
    '{{ execution.inputs["constructor"].prototype }}',
    '{{ execution.inputs.__proto__ }}',
    '{{ execution.inputs.name.length }}',
    '{{ execution.inputs.tags.length }}',
    '{{ execution.inputs.toString }}',
    '{{ process.env }}',
    '{{ steps["__proto__"] }}',
    '{{ execution.inputs.tags.map }}',
  ])('%s reaches nothing inherited', (text) => expect(fill(text)).toBeNull());

  it.each([
    ['{{ execution.inputs.constructor.prototype }}', 'Opel'],
    ['{{ execution.inputs | contains("constructor") }}', true],
    ['{{ steps.constructor.output }}', 1],
  ])('%s reads what somebody has called so', (text, value) => {
    const inputs = { constructor: { prototype: 'Opel' } };
    expect(fillIn(text, { execution: { inputs }, steps: { constructor: { output: 1 } } })).toBe(value);
  });

  it.each([
    ['{{ execution.inputs.name | upper }}', 'ADA'],
    ['{{ execution.inputs.nowhere | default: "none" }}', 'none'],
    ['{{ execution.inputs.nowhere | default("none") | upper }}', 'NONE'],
    ['{{ execution.inputs.tags | length }}', 2],
    ['{{ execution.inputs.tags | join: "-" }}', 'a-b'],
    ['{{ steps.fetch.output.status | eq: 200 }}', true],
    ['{{ steps.fetch.output.status | gte: 400 }}', false],
    ['{{ execution.inputs.empty | not }}', true],
    ['{{ execution.inputs.count | plus: 1 | times: 2 }}', 8],
    ['{{ 1.005 | round: 2 }}', 1.01],
    ['{{ -1.5 | round }}', -2],
    ['{{ 2.5 | round }}', 3],
    ['{{ -0.4 | round }}', 0],
    ['{{ "1.5e-7" | round: 7 }}', 2e-7],
    ['{{ "1e308" | round: 2 }}', 1e308],
    ['{{ 12.345 | round: 1 }}', 12.3],
    ['{{ "2026-02-30" | date }}', null],
    ['{{ "2026-02-30T10:00:00Z" | date }}', null],
    ['{{ "2026-13-01" | date }}', null],
    ['{{ "2024-02-29" | date }}', '2024-02-29T00:00:00.000Z'],
    ['{{ "2026-01-31T10:00:00+02:00" | date }}', '2026-01-31T08:00:00.000Z'],
    ['{{ execution.inputs.nested | json }}', '{"deep":{"yes":true}}'],
    ['{{ "a }} b" }}', 'a }} b'],
    ['{{ execution.inputs.name | slice: 0, 2 }}', 'Ad'],
    ['{{ execution.inputs.name | replace: "A", "$&$1" }}', '$&$1da'],
  ])('%s applies its filters', (text, value) => expect(fill(text)).toEqual(value));

  it.each([
    '{{ execution.inputs.name',
    '{{ }}',
    '{{ a | nothing }}',
    '{{ a() }}',
    '{{ a.b() }}',
    '{{ a + b }}',
    '{{ a = 1 }}',
    '{{ a[b] }}',
    '{{ a | upper lower }}',
    '{{ a | default: b }}',
    '{{ a. }}',
    '{{ | upper }}',
    '{{ `x` }}',
    "{{ constructor.constructor('return 1')() }}",
  ])('%s is refused', (text) => expect(() => parseTemplate(text)).toThrow(TemplateError));

  it('never reads again what it filled in', () => {
    const hostile = { execution: { inputs: { a: '{{ execution.inputs.secret }}', secret: 's' } } };
    expect(fillIn('{{ execution.inputs.a }}', hostile)).toBe('{{ execution.inputs.secret }}');
    expect(fillIn('x{{ execution.inputs.a }}', hostile)).toBe('x{{ execution.inputs.secret }}');
  });

  it('takes linear time for long nonsense', () => {
    const before = process.cpuUsage();
    expect(() => parseTemplate(`{{ ${'a.'.repeat(50_000)} }}`)).toThrow(TemplateError);
    expect(() => parseTemplate(`{{ "${'\\'.repeat(100_001)} }}`)).toThrow(TemplateError);
    // Of the processor, not of the clock: the machine may be busy with something else.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('the filter parse', () => {
  it('refuses a text of more than 200,000 values before it builds them', () => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(() => fillIn('{{ text | parse }}', { text: `[${'{},'.repeat(260_000)}{}]` })).toThrow('200000 values');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(fillIn('{{ text | parse }}', { text: ' [1,{"a":2}]' })).toEqual([1, { a: 2 }]);
    expect(fillIn('{{ text | parse }}', { text: ','.repeat(300_000) })).toBe(null);
  });
});
