import { Injectable } from '@nestjs/common';
import { type OpenedSecret, SecretCalls } from '@switchyard/contracts';
import { AppError, SecretMask, checkSecretCount, checkSecretValues, invalid, jsonBytes } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { isHostAllowed } from '@switchyard/service';
import type { SecretPlaceholders } from '../domain/secret-placeholders';
import type { HttpStepInput } from '@switchyard/contracts';
import { PlatformOutage } from '../domain/step-outcome';
import { TaskConfig } from '../task.config';
import type { Effect } from './external-effect';

export interface OpenedStep {
  input: HttpStepInput;
  mask: SecretMask;
  /** Whether the request carries a secret. */
  isSecret: boolean;
}

/** Brings the values of secrets into a request that is about to be sent, and knows what to mask in its answer. */
@Injectable()
export class StepSecrets {
  constructor(
    private readonly bus: Bus,
    private readonly config: TaskConfig,
  ) {}

  async open({ input, secrets, ctx }: Effect): Promise<OpenedStep> {
    const given = input as unknown as HttpStepInput;
    const names = [...new Set([...secrets.names, ...secrets.namesOfTask])];
    if (names.length === 0) return { input: given, mask: new SecretMask([]), isSecret: false };
    checkSecretCount(names);
    const opened = await this.bus.call(SecretCalls.open, ctx, { names }).catch((error: unknown) => {
      if (error instanceof AppError) throw new PlatformOutage(error.code, error.message, { cause: error });
      throw error;
    });
    checkSecretValues(opened.secrets.map(({ value }) => value));
    const mask = new SecretMask(opened.secrets.map(({ value }) => value));
    if (secrets.names.length === 0) return { input: given, mask, isSecret: false };
    try {
      return { input: filledIn(given, secrets, opened.secrets, this.config.TASK_STEP_MAX_BYTES), mask, isSecret: true };
    } catch (error) {
      throw withoutSecrets(mask, error);
    }
  }
}

/** Errors while secrets are decrypted can contain them. */
export function withoutSecrets(mask: SecretMask, error: unknown): unknown {
  if (error instanceof AppError) error.message = mask.text(error.message);
  return error;
}

/** The request with the values of its secrets, where they may be sent and the whole of it is within `maxBytes`. */
export function filledIn(
  given: HttpStepInput,
  secrets: SecretPlaceholders,
  opened: readonly OpenedSecret[],
  maxBytes: number,
): HttpStepInput {
  const byName = new Map(opened.map((secret) => [secret.name, secret]));
  const value = (name: string): string => {
    const secret = byName.get(name);
    if (!secret) throw secretMissing(name);
    return secret.value;
  };
  const encoded = (name: string): string => encodeURIComponent(value(name).toWellFormed());
  // Missing ones first, so that nothing is said of a request that could not be made anyway.
  secrets.names.forEach(value);
  checkSize(given, secrets, { value, encoded }, maxBytes);
  const without = secrets.fill(given.url, () => '');
  const url = secrets.fill(queryOnly(given.url, without), encoded);
  for (const name of secrets.names) {
    if (!isHostAllowed(byName.get(name)?.hosts ?? [], url)) throw secretNotAllowed(name, url);
  }
  const filled = { ...given, url };
  if (given.headers) filled.headers = secrets.fillAll(given.headers, value) as HttpStepInput['headers'];
  if (given.body !== undefined) filled.body = secrets.fillAll(given.body, value);
  return filled;
}

/** A mark is short, and the value in its place need not be: the step is measured again before anything is filled in. */
function checkSize(
  given: HttpStepInput,
  secrets: SecretPlaceholders,
  texts: { value: (name: string) => string; encoded: (name: string) => string },
  maxBytes: number,
): void {
  const sizes = new Map(
    secrets.names.map((name) => [name, { json: jsonBytes(texts.value(name)) - 2, url: texts.encoded(name).length }]),
  );
  const bytes =
    jsonBytes(given) +
    secrets.addedBytes(given.url, (name) => sizes.get(name)?.url ?? 0) +
    secrets.addedBytes([given.headers, given.body], (name) => sizes.get(name)?.json ?? 0);
  if (bytes > maxBytes)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `With the values of its secrets the step has more than ${maxBytes} bytes (TASK_STEP_MAX_BYTES); use them less often.`,
    );
}

/** A template may have turned the address around: a secret must still stand behind its question mark. */
function queryOnly(url: string, without: string): string {
  const query = url.indexOf('?');
  const head = query < 0 ? url : url.slice(0, query);
  const headWithout = without.includes('?') ? without.slice(0, without.indexOf('?')) : without;
  if (head !== headWithout || (url !== without && url.includes('#')))
    throw invalid('url', 'must name secrets in its query alone');
  return url;
}

const secretMissing = (name: string): AppError =>
  new AppError('SECRET_MISSING', `The Space has no secret called ${name} any more.`);

const secretNotAllowed = (name: string, url: string): AppError => {
  const host = URL.canParse(url) ? new URL(url).host : 'this address';
  return new AppError('SECRET_NOT_ALLOWED', `The secret ${name} may not be sent to ${host}. Nothing was sent.`);
};

/**
 * The other origin would get the body and the address given by the first one. It is not named: its name may contain a
 * secret.
 */
export const refuseRedirect = (): never => {
  throw new AppError(
    'SECRET_NOT_ALLOWED',
    'The address redirects to another origin, which must not get the secrets of this step.',
  );
};
