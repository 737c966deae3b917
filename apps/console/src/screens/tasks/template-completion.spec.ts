/// <reference types="jest" />
import { type TemplateNames, completionsAt, withCompletion } from './template-completion';

const names: TemplateNames = {
  inputs: ['topic'],
  isEvent: false,
  steps: [
    { id: 'fetch', type: 'http', with: '{}' },
    { id: 'shape', type: 'transform', with: '{"title": "x"}' },
  ],
};
/** `^` is the caret. */
const at = (marked: string): string[] =>
  completionsAt(marked.replace('^', ''), marked.indexOf('^'), names)?.options ?? [];

describe('completion in a template', () => {
  it.each(['x^', '{^', '{{ steps }} ^', '^{{ x }}', '{{ steps.fetch.output | default: ^'])(
    'offers nothing outside of a path: %s',
    (text) => {
      expect(at(text)).toEqual([]);
    },
  );

  it('offers the steps before, the nearest first, and the inputs', () => {
    expect(at('{{ ^')[0]).toBe('steps.shape.output');
    expect(at('{{ execution.inp^')).toEqual(['execution.inputs', 'execution.inputs.topic']);
    expect(at('{{ steps.fetch.output.^ }}')).toEqual(
      ['status', 'headers', 'body'].map((name) => `steps.fetch.output.${name}`),
    );
    expect(at('{{ title^')).toEqual(['steps.shape.output.title']);
  });

  it('offers the trigger to tasks of events alone', () => {
    expect(at('{{ trigger^')).toEqual([]);
    expect(completionsAt('{{ trigger', 10, { ...names, isEvent: true })?.options).toEqual([
      'execution.inputs.trigger.payload',
    ]);
  });

  it('offers filters behind a bar', () => {
    expect(at('{{ steps.shape.output | upp^')).toEqual(['upper']);
  });

  it.each([
    ['a {{^', 'a {{ steps.x }}'],
    ['{{ st^ }} b', '{{ steps.x }} b'],
    ['{{ st^eps }}', '{{ steps.x }}'],
    ['{{ st^ and {{ y }}', '{{ steps.x }} and {{ y }}'],
  ])('writes the choice in: %s', (marked, expected) => {
    const text = marked.replace('^', '');
    const caret = marked.indexOf('^');
    const found = completionsAt(text, caret, names) ?? { from: caret, to: caret };
    const done = withCompletion(text, found, 'steps.x');
    expect(done.text).toBe(expected);
    expect(done.text.slice(0, done.caret).endsWith('steps.x')).toBe(true);
  });
});
