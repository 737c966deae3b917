import { type EndpointTransport, MAX_IN_FLIGHT_HTTP, STORED_HEADER } from '@switchyard/contracts';
import {
  SECRETS_TOGETHER_MAX,
  hasOnlyReferences,
  invalid,
  mentionsSecret,
  secretNamesInJson,
} from '@switchyard/kernel';

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The platform and the connection set these. */
const RESERVED = new Set([
  'host',
  'transfer-encoding',
  'connection',
  'traceparent',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-connection',
]);
const RESERVED_PREFIXES = ['content-', 'webhook-', 'switchyard-'];

const isReserved = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

interface GivenFields {
  url?: string;
  headers?: object;
  natsAccountId?: string;
  inFlight?: number;
  ackSeconds?: number;
}

/** Each transport has fields of its own. */
export function checkFields(transport: EndpointTransport, given: GivenFields): void {
  const foreign = transport === 'nats' ? (['url', 'headers'] as const) : (['natsAccountId', 'ackSeconds'] as const);
  for (const field of foreign)
    if (given[field] !== undefined)
      throw invalid(field, transport === 'nats' ? 'is not for endpoints over NATS' : 'is for endpoints over NATS');
  if (transport === 'http' && (given.inFlight ?? 1) > MAX_IN_FLIGHT_HTTP)
    throw invalid('inFlight', `must be at most ${MAX_IN_FLIGHT_HTTP} over HTTP`);
}

/** Checks the headers of an endpoint; gives the names of secrets in them. */
export function secretNamesOfHeaders(headers: Readonly<Record<string, string>>): string[] {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const path = `headers.${name}`;
    if (mentionsSecret(name)) throw invalid(path, 'must not name a secret in the name of a header');
    if (!NAME.test(name)) throw invalid(path, 'is not the name of a header');
    const lower = name.toLowerCase();
    if (isReserved(lower)) throw invalid(path, 'is set by the platform');
    if (seen.has(lower)) throw invalid(path, 'is given twice');
    seen.add(lower);
    if (!VALUE.test(value)) throw invalid(path, 'has characters that a header cannot carry');
    if (!hasOnlyReferences(value)) throw invalid(path, 'must name a secret as {{ secrets.NAME }}, without filters');
  }
  const names = secretNamesInJson(Object.values(headers));
  if (names.length > SECRETS_TOGETHER_MAX)
    throw invalid('headers', `must not name more than ${SECRETS_TOGETHER_MAX} secrets together`);
  return names;
}

/** Headers after a change: `***` keeps the stored value, names that are left out go. */
export function changedHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const byName = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const changed = Object.entries(given).map(([name, value]): [string, string] => {
    if (value !== STORED_HEADER) return [name, value];
    const before = byName.get(name.toLowerCase());
    if (before === undefined)
      throw invalid(`headers.${name}`, `must have a value: none is stored for ${STORED_HEADER}`);
    return [name, before];
  });
  return Object.fromEntries(changed);
}

const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/;

/** The address passed the rules of outgoing calls. `http` only where the operator allows it, and to this machine. */
export function checkScheme(url: URL, allowsHttp: boolean): void {
  if (url.protocol === 'https:' || allowsHttp || LOOPBACK.test(url.hostname)) return;
  throw invalid('url', 'must be an https address');
}
