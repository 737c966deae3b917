import { decisionOf, readRunStart } from './read-command';

const PATH = 'params.response';

describe('the response to an interrupt of LangGraph', () => {
  it('is free text, or an answer in the form of the question', () => {
    expect(decisionOf('green', PATH)).toBe('green');
    expect(decisionOf({ selectedOptionIds: ['a'] }, PATH)).toBe('{"selectedOptionIds":["a"]}');
  });

  it.each([null, true, 7, [], {}, { approved: true }])('is refused if it is neither: %j', (response) => {
    expect(() => decisionOf(response, PATH)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: PATH, message: expect.stringContaining('{"selectedOptionIds": [...], "otherText": null}') }],
      }),
    );
  });
});

describe('the message of a run of LangGraph', () => {
  it('is refused if it is empty, with the reason', () => {
    const params = {
      assistant_id: '0190a0b0-0000-7000-8000-00000000000a',
      input: { messages: [{ type: 'human', content: '' }] },
    };
    expect(() => readRunStart(params)).toThrow(
      expect.objectContaining({
        details: [{ path: 'params.input.messages[0].content', message: 'must not be empty' }],
      }),
    );
  });
});
