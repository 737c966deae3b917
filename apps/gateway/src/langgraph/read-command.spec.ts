import { decisionOf } from './read-command';

const PATH = 'params.response';

describe('the response to an interrupt of LangGraph', () => {
  it('is a text in the words of its user, or an answer in its own form', () => {
    expect(decisionOf('green', PATH)).toBe('green');
    expect(decisionOf({ selectedOptionIds: ['a'] }, PATH)).toBe('{"selectedOptionIds":["a"]}');
  });

  it.each([null, true, 7, [], {}, { approved: true }])('is refused where it is none of them: %j', (response) => {
    expect(() => decisionOf(response, PATH)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: PATH, message: expect.stringContaining('{"selectedOptionIds": [...], "otherText": null}') }],
      }),
    );
  });
});
