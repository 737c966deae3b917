import { Injectable } from '@nestjs/common';
import { AppError, JSON_LIMITS, type SecretMask, cleanJson, countValues } from '@switchyard/kernel';
import { Egress, type EgressResponse } from '@switchyard/service';
import type { HttpStepInput } from '@switchyard/contracts';
import { SMALL_ANSWER } from './large-response-slots';
import { allRead, type OutsideStep } from './step-executor';
import { type Effect, effectKey } from './external-effect';
import { StepFailure } from './step-failure';
import { StepSecrets, refuseRedirect, withoutSecrets } from './step-secrets';

const MAX_BYTES = 768 * 1024;
const TIMEOUT_SECONDS = 30;
/** Set by the connection itself. */
const OURS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
]);

function headersOf(
  { headers: given, body }: Pick<HttpStepInput, 'headers' | 'body'>,
  key: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': 'Switchyard-Task/1',
    accept: 'application/json, */*;q=0.5',
    'idempotency-key': key,
  };
  if (body !== undefined && body !== null)
    headers['content-type'] = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  for (const [name, value] of Object.entries(given ?? {})) {
    const lower = name.toLowerCase();
    if (OURS.has(lower)) throw new AppError('VALIDATION_ERROR', `The header ${name} is set by the platform.`);
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(String(value))) {
      throw new AppError('VALIDATION_ERROR', `The header ${name} has characters that a header cannot carry.`);
    }
    headers[lower] = String(value);
  }
  return headers;
}

/** How many values the text has, before it is parsed: a list of empty objects takes twenty times its text. */
const valuesOf = (text: string): number => (/^\s*[[{]/.test(text) ? countValues(text, JSON_LIMITS.nodes) : 1);

async function bodyOf(
  response: EgressResponse,
  responseType: 'json' | 'text',
  { answerSlot }: Effect,
  mask: SecretMask,
): Promise<unknown> {
  const isLarge = response.body.length > SMALL_ANSWER.bytes;
  if (isLarge) await answerSlot.toParse();
  const text = response.body.toString('utf8');
  if (responseType === 'text') return text;
  if (text === '') return null;
  // An answer that is not JSON stays a text.
  const values = valuesOf(text);
  if (values > JSON_LIMITS.nodes)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The address answered with more than ${JSON_LIMITS.nodes} JSON values; ask for less, or for the text (responseType).`,
    );
  if (values > SMALL_ANSWER.values) await answerSlot.toParse();
  try {
    return JSON.parse(mask.numbersOf(text));
  } catch {
    return text;
  }
}

/** Calls an address through the egress guard. */
@Injectable()
export class HttpStep implements OutsideStep {
  readonly isOutside = true;
  readonly freesWorker = true;

  constructor(
    private readonly egress: Egress,
    private readonly secrets: StepSecrets,
  ) {}

  async run(effect: Effect): Promise<unknown> {
    const { input, mask, isSecret } = await this.secrets.open(effect);
    const { responseType = 'json', ...request } = input;
    const response = await this.request(effect, request, isSecret).catch((error: unknown) => {
      throw withoutSecrets(mask, error);
    });
    const output = await mask.json(
      cleanJson({
        status: response.status,
        headers: response.headers,
        body: await bodyOf(response, responseType, effect, mask),
      }),
    );
    effect.answerSlot.endReading();
    if (response.status >= 400)
      throw new StepFailure({ code: 'HTTP_ERROR', message: `The address answered ${response.status}.` }, output);
    return output;
  }

  private async request(
    effect: Effect,
    request: Omit<HttpStepInput, 'responseType'>,
    isSecret: boolean,
  ): Promise<EgressResponse> {
    const { url, method = 'GET', headers, body, timeoutSeconds = TIMEOUT_SECONDS, ...rest } = request;
    allRead(rest);
    return this.egress.request({
      spaceId: effect.execution.spaceId,
      url,
      method,
      headers: headersOf({ headers, body }, effectKey(effect)),
      body: body === undefined || body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      signal: effect.signal,
      timeoutMs: timeoutSeconds * 1000,
      maxBytes: MAX_BYTES,
      beforeLarge: { bytes: SMALL_ANSWER.bytes, admit: effect.answerSlot.toRead },
      ...(isSecret ? { onOtherOrigin: refuseRedirect } : {}),
    });
  }
}
