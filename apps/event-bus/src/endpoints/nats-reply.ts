import { readRetryAfter, scrub } from '@switchyard/service';

/** The outcome of an event at a service, by the headers of its reply. */
export type NatsReply =
  | { kind: 'progress' }
  | { kind: 'acknowledged' }
  | { kind: 'discarded'; status: number | null; text: string }
  | { kind: 'failed'; status: number | null; text: string; retryAfterMs: number | null };

/** By name in lower case, with all values. */
type ReplyHeaders = ReadonlyMap<string, readonly string[]>;

const TEXT_MAX = 200;
const UNPRINTABLE = /[^\x21-\x7e\xa1-\uffff]+/g;
const STATUS = /^\d{3}$/;

/** Of a service's text, so much is stored. Anything that looks like a credential is masked first. */
export const storedText = (text: string): string => scrub(text.replace(UNPRINTABLE, ' ')).trim().slice(0, TEXT_MAX);

export function readNatsReply(headers: ReplyHeaders): NatsReply {
  if (headers.size === 0) return { kind: 'acknowledged' };
  const first = (name: string): string | undefined => headers.get(name)?.[0];
  if (first('switchyard-progress')?.trim() === 'true') return { kind: 'progress' };
  const code = first('nats-service-error-code')?.trim();
  const status = code !== undefined && STATUS.test(code) ? Number(code) : null;
  const discarded = first('switchyard-discard');
  if (discarded !== undefined) return { kind: 'discarded', status, text: storedText(discarded) };
  const text = first('switchyard-error');
  if (code === undefined && text === undefined) return { kind: 'acknowledged' };
  return {
    kind: 'failed',
    status,
    text: storedText(text ?? first('nats-service-error') ?? ''),
    retryAfterMs: readRetryAfter(first('retry-after')),
  };
}
