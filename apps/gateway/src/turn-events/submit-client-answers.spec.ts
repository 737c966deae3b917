import { choiceOf } from './submit-client-answers';

describe('the answer to a question', () => {
  it.each(['42', 'true', 'null', '[1]', '{"a":1}', 'green', 'approve', 'deny', ''])(
    'is in the words of the user, whatever they look like: %j',
    (output) => {
      expect(choiceOf(output, false)).toEqual({ selectedOptionIds: [], otherText: output });
    },
  );

  it('is in its own form, in which one part may be left out', () => {
    expect(choiceOf('{"selectedOptionIds":["a"],"otherText":null}', false)).toEqual({
      selectedOptionIds: ['a'],
      otherText: null,
    });
    expect(choiceOf('{"otherText":"b"}', false)).toEqual({ selectedOptionIds: [], otherText: 'b' });
    expect(choiceOf('"green"', false)).toEqual({ selectedOptionIds: [], otherText: 'green' });
  });

  it.each(['{"approved":true}', '{}'])(
    'is refused where it is about an approval and says nothing of it: %s',
    (output) => {
      expect(() => choiceOf(output, true)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining('{"selectedOptionIds": [...], "otherText": null}'),
        }),
      );
    },
  );

  it.each(['approve', '"deny"'])('may be a bare choice where it is about an approval: %s', (output) => {
    const option = output.replaceAll('"', '');
    expect(choiceOf(output, true)).toEqual({ selectedOptionIds: [option], otherText: null });
  });

  it.each([
    '{"selectedOptionIds":"a"}',
    '{"selectedOptionIds":[1]}',
    '{"otherText":1}',
    '{"selectedOptionIds":["a"],"approved":true}',
  ])('is refused where its own form has wrong types or other fields: %s', (output) => {
    expect(() => choiceOf(output, false)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
