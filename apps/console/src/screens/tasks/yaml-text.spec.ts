import { jsonOfYaml, readYaml, yamlLineOf, yamlOf } from './yaml-text';

const steps = [
  { id: 'fetch', type: 'http', with: { method: 'GET', url: 'https://example.com/{{ execution.inputs.order }}' } },
  {
    id: 'note',
    type: 'transform',
    if: '{{ steps.fetch.output.ok }}',
    with: { text: 'yes\nno: 7\n', n: '007', on: true },
  },
];

describe('steps as YAML', () => {
  it('say the same there and back', () => {
    expect(readYaml(yamlOf(steps))).toEqual({ value: steps });
    expect(readYaml(JSON.stringify(steps))).toEqual({ value: steps });
    expect(yamlOf(steps)).toContain('url: https://example.com/{{ execution.inputs.order }}');
  });

  it.each([
    ['an open bracket', 'a: 1\nb: [1, 2\nc: 3\n', /^Line \d+: /],
    ['a name twice', 'a: 1\nb: 2\na: 3\n', /^Line 3: /],
    ['a tab for a space', 'a:\n\t- b', /^Line 2: /],
    ['an alias to itself', 'a: &a\n  b: *a\n', /./],
    ['an alias of nothing', 'a: *b\n', /./],
    ['a template without quotes', 'with:\n  text: {{ execution.inputs.order }}\n', /^Line 2: .*quotes/],
    ['a template without quotes in a list', '- a\n- [{{ a }}]\n', /^Line 2: .*quotes/],
    ['a template without quotes in an object', 'with: { text: {{ a }} }\n', /^Line 1: .*quotes/],
    ['a list for a name', 'a: 1\n? [b]\n: 2\n', /^Line 2: /],
    ['a tag that nobody knows', 'a: 1\nb: !foo bar\n', /^Line 2: .*!foo/],
    ['bytes', 'a: !!binary aGk=\n', /^Line 1: /],
    ['a set', 'a: !!set { b, c }\n', /^Line 1: /],
  ])('are refused for %s, with the line', (_, text, problem) => {
    expect(readYaml(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('hold no more than JSON does', () => {
    expect(readYaml('- {a: .nan, b: 2026-01-31, c: yes, 3: d}')).toEqual({
      value: [{ a: null, b: '2026-01-31', c: 'yes', 3: 'd' }],
    });
    expect(readYaml('')).toEqual({ value: null });
  });

  it('are saved as JSON, and never where they have a problem', () => {
    expect(JSON.parse(jsonOfYaml(yamlOf(steps)))).toEqual(steps);
    // To readers of JSON it is a list.
    const twice = '[{"id": "a", "id": "b"}]';
    for (const text of [twice, `\n${twice}`, 'a: [']) {
      const saved = jsonOfYaml(text);
      expect(() => JSON.parse(saved) as unknown).toThrow();
      expect(saved).toContain(text);
      // Read again, it has the same problem.
      expect(jsonOfYaml(saved)).toBe(saved);
    }
  });

  it('give an alias of an alias of an alias no room to grow', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const bomb = names.map((name, at) =>
      at === 0
        ? 'a: &a [x, x, x, x, x, x, x, x, x]'
        : `${name}: &${name} [${Array(9)
            .fill(`*${names[at - 1]}`)
            .join(', ')}]`,
    );
    expect(readYaml(bomb.join('\n'))).toEqual({ problem: expect.stringMatching(/alias/i) });
  });

  it('are pointed at by line', () => {
    const text = '- id: a\n  type: wait\n  with:\n    seconds: x\n- id: b\n';
    expect(yamlLineOf(text, '[0].with.seconds')).toBe(4);
    expect(yamlLineOf(text, '[1].with.url')).toBe(5);
    expect(yamlLineOf(text, '')).toBe(1);
    expect(yamlLineOf('a: [', '[0].id')).toBe(1);
  });
});
