import { CONTRACTS_VERSION, type Ctx, makeCtx } from '@switchyard/contracts';
import { envelopeText } from './envelope-text';

const plain = makeCtx(
  {
    spaceId: 'a-space',
    userId: null,
    role: 'MEMBER',
    scopes: ['tasks:execute', 'x"y\\z'],
    credentialId: 'quote " and \u2028 and 😀',
    credentialType: 'api_key',
    applicationId: null,
  },
  { requestId: 'r\n"', deadline: 5 },
);
const full: Ctx = {
  ...plain,
  traceparent: '00-"-01',
  lineage: { root: 'a"b', parent: 'step:1' },
  causationId: 'c',
  correlationId: 'd',
  depth: 3,
  idempotency: { key: '"ü"', route: 'POST /x', fingerprint: 'f' },
  isReplaced: true,
  operator: { scopes: ['operator:write'], signedInAt: 9 },
  signedInAt: 8,
  messageId: 'stays here',
  answer: { replayed: true },
};

/** The part of a context that is sent. */
const carried = ({ messageId: _id, deadline: _deadline, signal: _signal, answer: _answer, ...ctx }: Ctx): object => ctx;

describe('the text of an envelope', () => {
  it.each([
    ['least', plain],
    ['most', full],
  ])('says what its object would, with the %s that a context may have', (_what, ctx) => {
    const data = { text: 'x","seal":"y"}', nothing: undefined, list: [1, null] };
    const text = envelopeText({ name: 'task.a"b', source: 'job', ctx, deadline: 17, data });
    const { id, at, ...rest } = JSON.parse(text) as { id: string; at: string };
    const expected = {
      name: 'task.a"b',
      version: CONTRACTS_VERSION,
      source: 'job',
      deadline: 17,
      ctx: carried(ctx),
      data,
    };
    expect(rest).toEqual(JSON.parse(JSON.stringify(expected)));
    expect([typeof id, typeof at]).toEqual(['string', 'string']);
  });

  it('has an id and a time of its own', () => {
    const make = (): { id: string; at: string } =>
      JSON.parse(envelopeText({ name: 'n', source: 's', ctx: plain, deadline: 0, data: {} })) as {
        id: string;
        at: string;
      };
    const before = Date.now();
    const [one, other] = [make(), make()];
    expect(one.id).not.toBe(other.id);
    expect(Date.parse(other.at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(other.at)).toBeLessThanOrEqual(Date.now());
    expect(new Date(Date.parse(other.at)).toISOString()).toBe(other.at);
  });

  it('has no data where there is none', () => {
    const text = envelopeText({ name: 'n', source: 's', ctx: plain, deadline: 0, data: undefined });
    expect(JSON.parse(text)).not.toHaveProperty('data');
  });
});
