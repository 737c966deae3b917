/** Of a NATS client: its messages, as far as they are used here. */
export interface NatsMessage {
  subject: string;
  data: Uint8Array;
  reply?: string;
  headers?: NatsHeaders;
  respond(data?: Uint8Array | string, options?: { headers?: object }): boolean;
}

export interface NatsHeaders extends Iterable<[string, string[]]> {
  /** Of a message of the server itself: 503 if there is no subscriber. */
  code: number;
}

export interface NatsSubscription {
  unsubscribe(): void;
  drain(): Promise<void>;
}

/** Your connection, of the package `nats` 2 or `@nats-io/transport-node` 3: this package depends on neither. */
export interface NatsConnection {
  publish(subject: string, data?: Uint8Array | string, options?: { reply?: string; headers?: object }): void;
  subscribe(
    subject: string,
    options?: { queue?: string; callback?: (error: Error | null, message: NatsMessage) => void },
  ): NatsSubscription;
}

export interface NatsAccountOptions {
  /** Id of the account. */
  account: string;
}

const NO_RESPONDERS = 503;

export const hasNoResponders = ({ data, headers }: NatsMessage): boolean =>
  data.length === 0 && headers?.code === NO_RESPONDERS;

/** By name in lower case, the first value of each. */
export function headersOf(message: NatsMessage): Map<string, string> {
  const byName = new Map<string, string>();
  for (const [name, values] of message.headers ?? []) {
    const lower = name.toLowerCase();
    if (!byName.has(lower)) byName.set(lower, values[0] ?? '');
  }
  return byName;
}

const LINE_BREAK = /[\r\n]/;

/** Headers as both major versions of the client encode theirs. */
export function natsHeaders(values: Readonly<Record<string, string>>): object {
  let text = 'NATS/1.0\r\n';
  for (const [name, value] of Object.entries(values)) {
    if (LINE_BREAK.test(value)) throw new TypeError(`The header ${name} must be one line.`);
    text += `${name}: ${value}\r\n`;
  }
  const encoded = new TextEncoder().encode(`${text}\r\n`);
  return { encode: () => encoded };
}

const TOKEN_BYTES = 12;

/** A token of a subject that no other has. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
