import { AppError } from '@switchyard/kernel';
import { admit, refusePayload, refuseSize, requireApplication, requireSystemKey } from './emission-admission';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'admitted';
  } catch (error) {
    return (error as AppError).code;
  }
};

const emission = { appIdentifier: 'shop', event: 'order.created', keyOf: 'app-1', needsKey: true };

describe('an emission is refused', () => {
  it.each([
    ['APPLICATION_NOT_INSTALLED', { applicationId: null, eventId: null }, 'app-1'],
    ['FORBIDDEN', { applicationId: 'app-2', eventId: null }, 'app-1'],
    ['EVENT_NOT_REGISTERED', { applicationId: 'app-1', eventId: null }, 'app-1'],
    ['admitted', { applicationId: 'app-1', eventId: 'event-1' }, 'app-1'],
  ])('with %s before anything that comes later', (code, registration, keyOf) => {
    expect(codeOf(() => admit({ ...emission, keyOf, registration }))).toBe(code);
  });

  it('without a system key, regardless of other rights of the credential', () => {
    expect(codeOf(() => requireSystemKey('jwt', null))).toBe('FORBIDDEN');
    expect(codeOf(() => requireSystemKey('api_key', 'app-1'))).toBe('FORBIDDEN');
    expect(requireSystemKey('system_key', 'app-1')).toBe('app-1');
  });

  it('with every problem of its payload named', () => {
    const problems = [{ path: 'payload.total', message: 'must be a number' }];
    expect(() => refusePayload(problems)).toThrow(
      expect.objectContaining({ code: 'EVENT_PAYLOAD_INVALID', details: problems }),
    );
    expect(codeOf(() => refusePayload([]))).toBe('admitted');
    expect(codeOf(() => refuseSize(11, 10))).toBe('PAYLOAD_TOO_LARGE');
    expect(codeOf(() => refuseSize(10, 10))).toBe('admitted');
  });

  it('but needs no key when it comes from a run of the Space', () => {
    const registration = { applicationId: 'app-1', eventId: 'event-1' };
    expect(codeOf(() => admit({ ...emission, keyOf: null, needsKey: false, registration }))).toBe('admitted');
  });
});

describe('an emission of a NATS account', () => {
  it('is for the applications that its limits name', () => {
    const outcome = (applications?: string[]): unknown =>
      codeOf(() => {
        requireApplication(applications, 'shop');
        return 'admitted';
      });
    expect(outcome(['shop'])).toBe('admitted');
    expect([outcome(['crm']), outcome([]), outcome()]).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });
});
