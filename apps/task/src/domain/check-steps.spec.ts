import type { TaskStep } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { checkStepInput, checkSteps } from './check-steps';

const refused = (steps: TaskStep[], path: string): void => {
  expect(() => checkSteps(steps)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] }),
  );
};
const http = (input: Record<string, unknown>): TaskStep => ({ id: 'a', type: 'http', with: input });

describe('steps that are saved', () => {
  it('may leave to templates what has a type', () => {
    checkSteps([
      { id: 'a', type: 'wait', with: { seconds: '{{ execution.inputs.pause }}' } },
      {
        id: 'b',
        type: 'agent',
        if: ' {{ steps.a.output }} ',
        with: { agentId: '{{ execution.inputs.agent }}', inputs: { query: 'Hi {{ execution.inputs.name }}' } },
      },
      { id: 'c', type: 'dataset', with: { datasetId: newId(), operation: 'insert', records: '{{ steps.b.output }}' } },
    ]);
  });

  it('have ids of their own', () =>
    refused([http({ url: 'https://a.b' }), http({ url: 'https://a.b' })], 'steps[1].id'));
  it('name only fields of their type', () => refused([http({ url: 'https://a.b', uri: 1 })], 'steps[0].with.uri'));
  it('have what their type needs', () => refused([http({})], 'steps[0].with.url'));
  it('hold values of the right type', () => refused([http({ url: 5 })], 'steps[0].with.url'));
  it('name a malformed id', () =>
    refused([{ id: 'a', type: 'agent', with: { agentId: 'x' } }], 'steps[0].with.agentId'));
  it("hold an agent's settings as an execute has them", () => {
    const agent = (settings: Record<string, unknown>): TaskStep => ({
      id: 'a',
      type: 'agent',
      with: { agentId: newId(), settings },
    });
    checkSteps([agent({ temperature: 1, maxTokens: 1, top_p: 0.5 })]);
    checkSteps([agent({ temperature: '{{ execution.inputs.t }}' })]);
    refused([agent({ temperature: 1.5 })], 'steps[0].with.settings.temperature');
    refused([agent({ max_tokens: 1 })], 'steps[0].with.settings.max_tokens');
  });
  it('hold what the operation of a dataset takes', () => {
    const dataset = (input: Record<string, unknown>): TaskStep => ({
      id: 'a',
      type: 'dataset',
      with: { datasetId: newId(), ...input },
    });
    checkSteps([dataset({ operation: 'query', filter: { a: 1 }, limit: '{{ execution.inputs.n }}' })]);
    checkSteps([dataset({ operation: '{{ execution.inputs.operation }}', records: [] })]);
    refused([dataset({ operation: 'query', bogus: 1 })], 'steps[0].with.bogus');
    refused([dataset({ operation: 'query', limit: 'many' })], 'steps[0].with.limit');
    refused([dataset({ operation: 'insert' })], 'steps[0].with.records');
    refused([dataset({ operation: 'merge' })], 'steps[0].with.operation');
  });
  it('have at most 64 KiB in a text with templates, and 1,000 expressions', () => {
    const text = (body: string): TaskStep[] => [{ id: 'a', type: 'transform', with: { list: ['x', body] } }];
    const longest = `{{ execution.inputs.a }}${'é'.repeat(32 * 1024 - 12)}`;
    checkSteps(text(longest));
    checkSteps(text('x'.repeat(100_000)));
    checkSteps(text('{{ a }}'.repeat(1000)));
    refused(text(`${longest}x`), 'steps[0].with.list[1]');
    refused(text('{{ a }}'.repeat(1001)), 'steps[0].with.list[1]');
    expect(() => checkSteps(text(`${longest}x`))).toThrow(/64 KiB \(65536 bytes\)/);
  });

  it.each([
    ['expressions', '{{ a }}'.repeat(1000).padEnd(65_000, 'x')],
    ['filters', `{{ a${'|eq:1'.repeat(13_000)} }}`],
    ['arguments', `{{ a|join:${'1,'.repeat(32_000)}1 }}`],
    ['a path', `{{ a${'.a'.repeat(32_000)} }}`],
    ['brackets', `{{ a${'[1]'.repeat(21_000)} }}`],
    ['a text in quotes', `{{ "${'\\"'.repeat(32_000)}" }}`],
    ['quotes that do not end', `{{ "${'\\'.repeat(65_000)}`],
    ['braces', '{'.repeat(65_000)],
    ['blanks', `{{${' '.repeat(65_000)}a }}`],
    ['broken filters', `{{ a${'|eq:'.repeat(16_000)} }}`],
  ])('are read in a moment, or refused, at the largest: %s', (_, text) => {
    const steps = Array.from({ length: 4 }, (_none, at): TaskStep => ({
      id: `s${at}`,
      type: 'transform',
      with: { text },
    }));
    const before = process.cpuUsage();
    try {
      checkSteps(steps);
    } catch (error) {
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    // Of the processor, and five times what a busy machine takes; unmetered, it was 15 seconds.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it('name a broken template', () => refused([http({ url: 'https://{{ a b }}' })], 'steps[0].with.url'));
  it('have one template as a condition', () => {
    refused([{ id: 'a', type: 'wait', with: { seconds: 1 }, if: 'yes' }], 'steps[0].if');
    refused([{ id: 'a', type: 'wait', with: { seconds: 1 }, if: '{{ a }} and {{ b }}' }], 'steps[0].if');
  });
});

describe('steps that run', () => {
  it('are held to their types once the templates are filled in', () => {
    expect(() => checkStepInput('wait', { seconds: 'soon' }, 'with', 'filled')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
    checkStepInput('wait', { seconds: 1.5 }, 'with', 'filled');
    expect(() => checkStepInput('http', { url: 'https://a.b', headers: { a: {} } }, 'with', 'filled')).toThrow(
      /headers/,
    );
  });

  it('may have the settings of a chat, as steps were once saved', () => {
    const check = (settings: Record<string, unknown>) => () =>
      checkStepInput('agent', { agentId: newId(), settings }, 'with', 'filled');
    expect(check({ temperature: 1.5, max_tokens: 5 })).not.toThrow();
    expect(check({ maxTokens: 5 })).not.toThrow();
    expect(check({ max_token: 5 })).toThrow(/max_token/);
  });

  it('may carry braces that came out of a value', () =>
    checkStepInput('http', { url: 'https://a.b/{{x' }, 'with', 'filled'));
});
