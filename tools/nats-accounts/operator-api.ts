import { StopSentence } from '../launcher/stop-sentence';
import type { NatsApiUser } from '../../libs/messaging/src/nats-api/users-file';

const TIMEOUT_MS = 30_000;
const PAGE = 100;
const ATTEMPTS = 5;

export interface LoadedAccounts {
  revision: number;
  users: NatsApiUser[];
}

interface Account {
  id: string;
  publicKey: string;
  status: string;
  previous: { publicKey: string; until: string } | null;
}

interface ListBody {
  data?: Account[];
  revision?: number;
  page?: { nextCursor?: string | null };
}

export interface OperatorApi {
  /** Null if the revision is this one: only the first page is read. */
  read(current?: number): Promise<LoadedAccounts | null>;
  reportLoaded(revision: number): Promise<void>;
}

/** A key whose rotation has a grace period stands beside the new one until it ends. */
const usersOf = ({ id, publicKey, status, previous }: Account): NatsApiUser[] => [
  ...(status === 'ACTIVE' ? [{ account: id, publicKey }] : []),
  ...(status === 'ACTIVE' && previous !== null && Date.parse(previous.until) > Date.now()
    ? [{ account: id, publicKey: previous.publicKey }]
    : []),
];

/** The routes of operators about NATS accounts, with a key that has the scope `operator:nats`. */
export function operatorApi(url: string, key: () => Promise<string> | string): OperatorApi {
  const call = async (method: string, path: string, body?: object): Promise<ListBody> => {
    const answer = await fetch(new URL(`/api${path}`, url), {
      method,
      headers: { authorization: `Bearer ${await key()}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new StopSentence(`${url} does not answer: ${error instanceof Error ? error.message : String(error)}`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new RefusedCall(answer.status, text);
    try {
      return JSON.parse(text) as ListBody;
    } catch {
      throw new StopSentence(`${url} answered no JSON.`);
    }
  };

  /** Null if the list changed while it was read. */
  const readAll = async (current: number | undefined): Promise<LoadedAccounts | null | 'same'> => {
    const accounts: Account[] = [];
    let revision: number | undefined;
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) });
      const page = await call('GET', `/operator/nats-accounts?${query.toString()}`);
      if (!Array.isArray(page.data) || !Number.isSafeInteger(page.revision))
        throw new StopSentence('The list of accounts came in another form: nothing was changed.');
      if (revision !== undefined && page.revision !== revision) return null;
      revision = page.revision as number;
      if (revision === current) return 'same';
      accounts.push(...page.data);
      const next = page.page?.nextCursor ?? null;
      if (next !== null && next === cursor)
        throw new StopSentence('The list of accounts has no end: nothing was changed.');
      cursor = next;
    } while (cursor !== null);
    return { revision, users: accounts.flatMap(usersOf) };
  };

  return {
    read: async (current) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const found = await readAll(current);
        if (found === 'same') return null;
        if (found) return found;
      }
      throw new StopSentence('The accounts change faster than they can be read: nothing was changed. Try again.');
    },
    reportLoaded: async (revision) => {
      await call('POST', '/operator/nats-accounts/loaded', { revision });
    },
  };
}

/** A refusal of the platform. */
export class RefusedCall extends StopSentence {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status} ${messageIn(text)}`);
  }
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text.slice(0, 500);
  } catch {
    return text.slice(0, 500);
  }
}
