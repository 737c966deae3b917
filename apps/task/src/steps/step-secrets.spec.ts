import type { TaskStep } from '@switchyard/contracts';
import { AppError, SecretMask } from '@switchyard/kernel';
import { SecretPlaceholders } from '../domain/secret-placeholders';
import { checkedSecretNames } from '../domain/secret-rules';
import type { HttpStepInput } from '@switchyard/contracts';
import { filledIn, refuseRedirect, withoutSecrets } from './step-secrets';

const LIMIT = 1024 * 1024;

const filled = (template: object, value: string): HttpStepInput => {
  const marks = new SecretPlaceholders(template, []);
  return filledIn(marks.marked() as HttpStepInput, marks, [{ name: 'A', value, hosts: [] }], LIMIT);
};

describe('the secrets of a step', () => {
  it.each<[string, object, string]>([
    ['the body', { url: 'https://a.example/', body: ['{{ secrets.A }}'.repeat(200)] }, 'x'.repeat(8192)],
    ['a header', { url: 'https://a.example/', headers: { a: '{{ secrets.A }}'.repeat(200) } }, 'x'.repeat(8192)],
    ['the query, as it is encoded', { url: `https://a.example/?${'{{ secrets.A }}'.repeat(50)}` }, 'ä'.repeat(4096)],
    [
      'the body, as it is escaped',
      { url: 'https://a.example/', body: ['{{ secrets.A }}'.repeat(70)] },
      '"'.repeat(8192),
    ],
  ])('are measured before they are filled in: %s', (_, template, value) => {
    expect(() => filled(template, value)).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('TASK_STEP_MAX_BYTES') }),
    );
  });

  it('are filled in up to the limit', () => {
    const { body } = filled({ url: 'https://a.example/', body: '{{ secrets.A }}'.repeat(127) }, 'x'.repeat(8192));
    expect(body).toHaveLength(127 * 8192);
  });

  it('are not in what went wrong', () => {
    const mask = new SecretMask(['the value']);
    const error = withoutSecrets(mask, new AppError('SERVICE_UNAVAILABLE', 'got the value?')) as AppError;
    expect([error.code, error.message]).toEqual(['SERVICE_UNAVAILABLE', 'got ***?']);
    expect(refuseRedirect).toThrow('The address redirects to another origin');
  });

  it('are at most 20 in all steps of a task', () => {
    const steps = Array.from({ length: 21 }, (_, i) => ({
      id: `s${i}`,
      type: 'http',
      with: { body: `{{ secrets.N${i} }}` },
    }));
    expect(checkedSecretNames(steps.slice(1) as unknown as TaskStep[])).toHaveLength(20);
    expect(() => checkedSecretNames(steps as unknown as TaskStep[])).toThrow(
      expect.objectContaining({ details: [{ path: 'steps', message: 'must not name more than 20 secrets together' }] }),
    );
  });
});
