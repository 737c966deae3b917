import { type Ctx, makeCtx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { identityAfterAnswer, identityOf } from './turn-views';

const spaceId = newId();
const userId = newId();
const jobId = newId();
const emissionId = newId();

const ctxOf = (user: string, rest: Partial<Ctx> = {}): Ctx =>
  makeCtx(
    {
      spaceId,
      userId: user,
      role: 'MEMBER',
      scopes: ['agents:call'],
      credentialId: newId(),
      credentialType: 'api_key',
      applicationId: null,
    },
    rest,
  );

const question = { purpose: 'question' } as const;
const lineage = { root: jobId, parent: `job:${jobId}` };
const cause = { causationId: emissionId, correlationId: emissionId, depth: 3 };
const ofJob = { userId, identity: identityOf(ctxOf(userId, { ...cause, lineage, traceparent: 'of the job' })) };

describe('a turn that was answered', () => {
  it('goes on with the rights of its user who answers, and keeps its cause', () => {
    const answer: Ctx = { ...ctxOf(userId, { traceparent: 'of the answer' }), role: 'ADMIN', scopes: ['*'] };
    expect(identityAfterAnswer(answer, ofJob, question)).toEqual({ ...identityOf(answer), ...cause, lineage });
  });

  it('has no cause where a person has begun it', () => {
    const answer = ctxOf(userId);
    const after = identityAfterAnswer(answer, { userId, identity: identityOf(ctxOf(userId)) }, question);
    expect(after).toStrictEqual(identityOf(answer));
  });

  it('goes on as before where somebody else has answered', () => {
    expect(identityAfterAnswer(ctxOf(newId()), ofJob, question)).toBe(ofJob.identity);
  });

  it('goes on with the credential that has begun it after an approval, also one of its user', () => {
    expect(identityAfterAnswer(ctxOf(userId), ofJob, { purpose: 'approval' })).toBe(ofJob.identity);
  });
});
