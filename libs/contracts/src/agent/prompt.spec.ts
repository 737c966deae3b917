import { checkPrompt, promptValues, renderPrompt } from './prompt';

describe('a prompt template', () => {
  const variables = [{ name: 'who', required: true }, { name: 'tone', default: 'kind' }, { name: 'extra' }];

  it('takes values as text, once', () => {
    const values = promptValues(variables, { who: '{{tone}} ${process.env} {{constructor}}' }, { strict: true });
    expect(renderPrompt('Dear {{who}}, {{ tone }}{{extra}}!', values)).toBe(
      'Dear {{tone}} ${process.env} {{constructor}}, kind!',
    );
  });

  it('leaves unknown placeholders as they are', () => {
    expect(renderPrompt('{{toString}} {{a.b}} {{#if x}} {{{who}}}', new Map([['who', 'W']]))).toBe(
      '{{toString}} {{a.b}} {{#if x}} {W}',
    );
  });

  it('needs its required variables where inputs are given', () => {
    expect(() => promptValues(variables, {}, { strict: true })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path: 'inputs.who' })] }),
    );
    expect(promptValues(variables, {}, { strict: false }).get('who')).toBe('');
    for (const name of ['toString', 'constructor', 'prototype'])
      expect(() => promptValues([{ name, required: true }], {}, { strict: true })).toThrow();
  });

  it('writes values that are no text as JSON', () => {
    expect(promptValues([{ name: 'list' }], { list: [1, { a: 2 }] }, { strict: true }).get('list')).toBe('[1,{"a":2}]');
  });

  it('is limited to 1 MiB, and a larger one is never built', () => {
    const value = 'x'.repeat(2048);
    const filled = renderPrompt('{{v}}'.repeat(500), new Map([['v', value]]));
    expect(filled).toHaveLength(500 * 2048);
    const before = process.memoryUsage().heapUsed;
    expect(() => renderPrompt('{{v}}'.repeat(1900), new Map([['v', 'é'.repeat(5000)]]))).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'systemPrompt', message: expect.stringMatching(/^must be at most 1 MiB/) as string }],
      }),
    );
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  });

  it('has at most 500 placeholders where it is saved, and four times as many where one of before is filled', () => {
    const prompt = (holes: number): string => '{{v}}'.repeat(holes);
    checkPrompt(prompt(500));
    const refused = { code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path: 'systemPrompt' })] };
    expect(() => {
      checkPrompt(prompt(501));
    }).toThrow(expect.objectContaining(refused));
    expect(renderPrompt(prompt(2000), new Map())).toBe(prompt(2000));
    expect(() => renderPrompt(prompt(2001), new Map())).toThrow(expect.objectContaining(refused));
  });
});
