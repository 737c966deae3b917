import { PLATFORM_APPLICATIONS, payloadTooLarge } from '@switchyard/contracts';
import { AppError, type ErrorDetail } from '@switchyard/kernel';
import { refusePlatform } from './platform-application';
import { isPlatformId } from './platform-ids';

export interface Registration {
  applicationId: string | null;
  eventId: string | null;
}

interface Emission {
  appIdentifier: string;
  event: string;
  /** The application whose key was shown; null for an emission from a run or by a person, which needs none. */
  keyOf: string | null;
  /** Whether the application itself has to have shown its key. */
  needsKey: boolean;
  registration: Registration;
}

export const notInstalled = (appIdentifier: string): AppError =>
  new AppError('APPLICATION_NOT_INSTALLED', `No application "${appIdentifier}" is installed in this Space.`);

/** The refusals that need no look at the payload, in their order. Returns the registered event. */
export function admit({ appIdentifier, event, keyOf, needsKey, registration }: Emission): string {
  const { applicationId, eventId } = registration;
  if (applicationId === null ? PLATFORM_APPLICATIONS.includes(appIdentifier) : isPlatformId(applicationId))
    throw refusePlatform();
  if (applicationId === null) {
    throw notInstalled(appIdentifier);
  }
  if (needsKey && keyOf !== applicationId) {
    throw new AppError('FORBIDDEN', `This key belongs to another application than "${appIdentifier}".`);
  }
  if (eventId === null) {
    throw new AppError('EVENT_NOT_REGISTERED', `The application "${appIdentifier}" declares no event "${event}".`);
  }
  return eventId;
}

export function refusePayload(problems: ErrorDetail[]): void {
  const [first] = problems;
  if (first) throw new AppError('EVENT_PAYLOAD_INVALID', `${first.path} ${first.message}.`, { details: problems });
}

export function refuseSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw payloadTooLarge(maxBytes);
}

/** Outside emissions are an application's own: with its key and no other credential. */
export function requireSystemKey(credentialType: string, applicationId: string | null): string {
  if (credentialType !== 'system_key' || applicationId === null) {
    throw new AppError('FORBIDDEN', "Events are emitted with the application's system key.");
  }
  return applicationId;
}

/** A NATS account emits for the applications that its limits name, installed or not. */
export function requireApplication(applications: readonly string[] | undefined, appIdentifier: string): void {
  if (applications?.includes(appIdentifier) === true) return;
  throw new AppError('FORBIDDEN', `limits.applications of this account does not name "${appIdentifier}".`);
}
