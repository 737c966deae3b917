import { readRun } from './read-run';
import type { RunAgentBody } from './ag-ui.dto';

const INTERRUPT = '0190a0b0-0000-7000-8000-00000000000a';
const BODY = { threadId: 't', runId: 'r', messages: [{ id: '1', role: 'user', content: 'hi' }] };
const bodyWith = (more: object): RunAgentBody => ({ ...BODY, ...more });
const resumedWith = (payload: unknown): RunAgentBody =>
  bodyWith({ resume: [{ interruptId: INTERRUPT, status: 'resolved', payload }] });
const refusal = (path: string, message: string): Error =>
  expect.objectContaining({
    code: 'VALIDATION_ERROR',
    details: [{ path, message: expect.stringContaining(message) }],
  }) as Error;

describe('a run of AG-UI', () => {
  it.each([{ selectedOptionIds: ['a'] }, { otherText: 'green' }, { selectedOptionIds: [], otherText: null }])(
    'resumes with an answer in the form of interactions: %j',
    (payload) => {
      const output = JSON.stringify(payload);
      expect(readRun(resumedWith(payload))).toEqual({ kind: 'resume', interactionId: INTERRUPT, output });
    },
  );

  it.each([{}, { approved: true }, { choice: 'a' }, 'approve', null])(
    'is refused where it resumes with what is no answer: %j',
    (payload) => {
      const form = '{"selectedOptionIds": [...], "otherText": null}';
      expect(() => readRun(resumedWith(payload))).toThrow(refusal('resume[0].payload', form));
    },
  );

  it('is refused if its answer has an unknown field', () => {
    const payload = { selectedOptionIds: ['a'], approved: true };
    expect(() => readRun(resumedWith(payload))).toThrow(refusal('resume[0].payload.approved', 'is not a field'));
  });

  it('is refused if its message is empty, with the reason', () => {
    const messages = [{ id: '1', role: 'user', content: '' }];
    expect(() => readRun(bodyWith({ messages }))).toThrow(refusal('messages[0].content', 'must not be empty'));
  });
});
