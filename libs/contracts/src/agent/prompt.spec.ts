import { promptValues, renderPrompt } from './prompt';

describe('a prompt template', () => {
  const variables = [{ name: 'who', required: true }, { name: 'tone', default: 'kind' }, { name: 'extra' }];

  it('takes values as text, once', () => {
    const values = promptValues(variables, { who: '{{tone}} ${process.env} {{constructor}}' }, { strict: true });
    expect(renderPrompt('Dear {{who}}, {{ tone }}{{extra}}!', values)).toBe(
      'Dear {{tone}} ${process.env} {{constructor}}, kind!',
    );
  });

  it('leaves what nobody declared as it is', () => {
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
});
