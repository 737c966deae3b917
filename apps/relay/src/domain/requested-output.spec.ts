import { requestedOutput, requestedTokens, mostOutput } from './requested-output';

const model = { contextWindow: 10_000, maxOutputTokens: 4096 };
const outputOf = (fields: object, path = 'chat/completions'): ReturnType<typeof requestedOutput> =>
  requestedOutput(path, { ...fields });
const reservedFor = (fields: object, path?: string, promptTokens = 100): number =>
  mostOutput(model, promptTokens, outputOf(fields, path));

describe('the output that a request asks for', () => {
  it.each([
    ['chat/completions', { max_tokens: 5 }, 5],
    ['chat/completions', { max_completion_tokens: 5 }, 5],
    ['chat/completions', { max_completion_tokens: 5, max_tokens: 9 }, 9],
    ['chat/completions', { max_output_tokens: 5 }, undefined],
    ['completions', { max_tokens: 5 }, 5],
    ['completions', { max_completion_tokens: 5 }, undefined],
    ['responses', { max_output_tokens: 5, max_tokens: 1 }, 5],
    ['responses', { max_tokens: 5 }, undefined],
    ['embeddings', { max_tokens: 5 }, undefined],
    ['chat/completions', { max_tokens: null, n: null }, undefined],
  ])('%s reads %j', (path, fields, maxTokens) => {
    expect(outputOf(fields, path)).toMatchObject({ maxTokens, choices: 1, prompts: 1 });
  });

  it.each([{ max_tokens: 0 }, { max_tokens: '9' }, { max_tokens: 1.5 }, { n: 0 }, { n: '2' }, { n: 129 }, { n: 1e15 }])(
    'refuses %j',
    (fields) => {
      expect(() => outputOf(fields)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    },
  );

  it('counts every choice of every prompt', () => {
    expect(requestedTokens(outputOf({ max_tokens: 10, n: 3 }))).toBe(30);
    expect(
      requestedTokens(outputOf({ max_tokens: 10, n: 2, best_of: 4, prompt: ['a', 'b', 'c'] }, 'completions')),
    ).toBe(120);
    expect(requestedTokens(outputOf({ max_tokens: 10, prompt: [1, 2, 3] }, 'completions'))).toBe(10);
    expect(requestedTokens(outputOf({ n: 3 }))).toBe(0);
  });
});

describe('what is held for it', () => {
  it('is the longest answer of the model, or what its window leaves', () => {
    expect(reservedFor({})).toBe(4096);
    expect(reservedFor({}, undefined, 9_000)).toBe(1_000);
    expect(reservedFor({}, undefined, 20_000)).toBe(1);
  });

  it('is what the caller asks for, also where the catalogue knows of less', () => {
    expect(reservedFor({ max_tokens: 10 })).toBe(10);
    expect(reservedFor({ max_tokens: 8_000 })).toBe(8_000);
    expect(reservedFor({ max_tokens: 100_000 })).toBe(9_900);
  });

  it('is that of every answer', () => {
    expect(reservedFor({ n: 3 })).toBe(3 * 4096);
    expect(reservedFor({ n: 3, max_tokens: 100_000 })).toBe(3 * 9_900);
    expect(reservedFor({ n: 2, prompt: ['a', 'b', 'c'] }, 'completions')).toBe(2 * 3 * 4096);
  });

  it('is nothing for a model that writes nothing', () => {
    expect(mostOutput({ contextWindow: 8192, maxOutputTokens: 0 }, 5, outputOf({}, 'embeddings'))).toBe(0);
  });
});
