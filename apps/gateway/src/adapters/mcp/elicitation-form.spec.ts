import type { InteractionView } from '@switchyard/contracts';
import { choiceOf, formOf, takesForms } from './elicitation-form';

const question = (change: Partial<InteractionView> = {}): InteractionView =>
  ({
    kind: 'single_choice',
    prompt: 'Which?',
    options: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
    allowOther: false,
    ...change,
  }) as InteractionView;

test('a single choice is a required list of titled options', () => {
  expect(formOf(question(), '2026-07-28')).toEqual({
    type: 'object',
    properties: {
      choice: {
        title: 'Which?',
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    },
    required: ['choice'],
  });
});

test('older protocol revisions get separate names and values, and no multiple choice', () => {
  expect(formOf(question(), '2025-06-18')).toMatchObject({
    properties: { choice: { enum: ['a', 'b'], enumNames: ['A', 'B'] } },
  });
  expect(formOf(question({ kind: 'multiple_choice' }), '2025-06-18')).toBeNull();
});

test('multiple choice keeps its bounds, and free text counts as a choice', () => {
  const form = formOf(
    question({ kind: 'multiple_choice', minSelections: 2, maxSelections: 3, allowOther: true }),
    '2025-11-25',
  );
  expect(form).toMatchObject({
    properties: { choice: { type: 'array', minItems: 2, maxItems: 3 }, other: { type: 'string' } },
    required: [],
  });
});

test.each([
  [{ choice: 'a' }, { selectedOptionIds: ['a'], otherText: null }],
  [
    { choice: ['a', 'b'], other: '' },
    { selectedOptionIds: ['a', 'b'], otherText: null },
  ],
  [{ other: 'C' }, { selectedOptionIds: [], otherText: 'C' }],
  [
    { choice: '', other: 'C' },
    { selectedOptionIds: [], otherText: 'C' },
  ],
])('%j is the choice %j', (content, choice) => {
  expect(choiceOf(content)).toEqual(choice);
});

test('a client that supports only links gets no form', () => {
  expect(takesForms({ elicitation: {} })).toBe(true);
  expect(takesForms({ elicitation: { form: {} } })).toBe(true);
  expect(takesForms({ elicitation: { url: {} } })).toBe(false);
  expect(takesForms({})).toBe(false);
  expect(takesForms(undefined)).toBe(false);
});
