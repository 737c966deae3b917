import type { InteractionForm } from '@switchyard/contracts';
import { checkAnswer } from './interaction-answer';
import { checkForm } from './interaction-form';

const options = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
  { id: 'c', label: 'C' },
];
const form = (rest: Partial<InteractionForm>): InteractionForm => ({
  kind: 'single_choice',
  prompt: '?',
  options,
  ...rest,
});

const single = form({});
const open = form({ allowOther: true });
const many = form({ kind: 'multiple_choice' });
const manyOpen = form({ kind: 'multiple_choice', allowOther: true });
const bounded = form({ kind: 'multiple_choice', minSelections: 2, maxSelections: 2 });
const voluntary = form({ kind: 'multiple_choice', minSelections: 0 });

describe('an answer', () => {
  it.each([
    ['one option', single, ['a'], null],
    ['one option of an open form', open, ['a'], null],
    ['own text instead', open, [], 'mine'],
    ['several options', many, ['a', 'c'], null],
    ['options and own text', manyOpen, ['a'], 'mine'],
    ['own text alone', manyOpen, [], 'mine'],
    ['as many as asked', bounded, ['b', 'c'], null],
    ['nothing where nothing is needed', voluntary, [], null],
  ])('may be %s', (_, request, selectedOptionIds, otherText) => {
    expect(checkAnswer(request, { selectedOptionIds, otherText })).toEqual({ selectedOptionIds, otherText });
  });

  it('takes blank text of one’s own for none', () => {
    expect(checkAnswer(single, { selectedOptionIds: ['a'], otherText: ' ' }).otherText).toBeNull();
  });

  it.each([
    ['nothing for a single choice', single, [], null],
    ['two for a single choice', single, ['a', 'b'], null],
    ['an unknown option', single, ['x'], null],
    ['a label in place of an id', single, ['A'], null],
    ['own text where the form has none', single, ['a'], 'mine'],
    ['own text alone where the form has none', single, [], 'mine'],
    ['an option and own text for a single choice', open, ['a'], 'mine'],
    ['blank own text', open, [], '  '],
    ['an option twice', many, ['a', 'a'], null],
    ['nothing for a multiple choice', many, [], null],
    ['too few', bounded, ['a'], null],
    ['too many', bounded, ['a', 'b', 'c'], null],
    ['an unknown one among several', many, ['a', 'x'], null],
  ])('is refused: %s', (_, request, selectedOptionIds, otherText) => {
    expect(() => checkAnswer(request, { selectedOptionIds, otherText })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });
});

describe('a form', () => {
  it.each([single, open, many, manyOpen, bounded, voluntary, form({ options: [], allowOther: true })])(
    'can be put before a user (%#)',
    (request) => expect(() => checkForm(request)).not.toThrow(),
  );

  it.each([
    ['no way to answer', form({ options: [] })],
    ['two options of one id', form({ options: [...options, { id: 'a', label: 'again' }] })],
    ['more selections than options', form({ kind: 'multiple_choice', minSelections: 4 })],
    ['bounds that exclude each other', form({ kind: 'multiple_choice', minSelections: 2, maxSelections: 1 })],
  ])('is refused: %s', (_, request) => {
    expect(() => checkForm(request)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
