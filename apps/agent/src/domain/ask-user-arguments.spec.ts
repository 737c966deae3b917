import { answerOf, readForm } from './ask-user-arguments';

describe('the arguments of ask_user', () => {
  const options = [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ];

  it.each([
    [{ kind: 'single_choice', prompt: 'x', options }],
    [{ kind: 'multiple_choice', prompt: 'x', options, minSelections: 1, maxSelections: 2, allowOther: true }],
    [{ kind: 'single_choice', prompt: 'x', options: ['yes', 'no'] }],
    [{ kind: 'single_choice', prompt: 'x', options, minSelections: 1, maxSelections: 1 }],
    [{ kind: 'multiple_choice', prompt: 'x', options, minSelections: 0, maxSelections: null }],
    [{ kind: 'single_choice', prompt: 'x', options: [], allowOther: true }],
  ])('are a form: %j', (value) => expect(readForm(value)).toHaveProperty('form'));

  it.each([
    [null],
    [[]],
    [{ prompt: 'x', options }],
    [{ kind: 'essay', prompt: 'x', options }],
    [{ kind: 'single_choice', prompt: ' ', options }],
    [{ kind: 'single_choice', prompt: 'x', options: [] }],
    [{ kind: 'single_choice', prompt: 'x', options: 'a' }],
    [
      {
        kind: 'single_choice',
        prompt: 'x',
        options: [
          { id: 'a', label: 'A' },
          { id: 'a', label: 'B' },
        ],
      },
    ],
    [{ kind: 'multiple_choice', prompt: 'x', options, minSelections: 3 }],
    [{ kind: 'multiple_choice', prompt: 'x', options, minSelections: 2, maxSelections: 1 }],
  ])('are none: %j', (value) => expect(readForm(value)).toHaveProperty('problem'));

  it.each([
    { maxSelections: 0 },
    { maxSelections: -1 },
    { maxSelections: 1.5 },
    { maxSelections: '2' },
    { minSelections: -1 },
    { minSelections: 1.5 },
  ])('are none in a question of either kind: %j', (bounds) => {
    for (const kind of ['single_choice', 'multiple_choice']) {
      const problem = expect.stringContaining('must be a whole number');
      expect(readForm({ kind, prompt: 'x', options, ...bounds })).toEqual({ problem });
    }
  });

  it('come back to the model with ids and labels', () => {
    const interaction = {
      id: 'i',
      turnId: 't',
      sessionId: 's',
      purpose: 'question' as const,
      kind: 'single_choice' as const,
      prompt: 'x',
      options,
      allowOther: true,
      status: 'ANSWERED' as const,
      selectedOptionIds: ['b'],
      otherText: 'mine',
      createdAt: '',
      answeredAt: '',
      expiresAt: '',
    };
    expect(answerOf(interaction)).toEqual({ selected: [{ id: 'b', label: 'B' }], otherText: 'mine' });
  });
});
