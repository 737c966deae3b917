import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  KeyUsage,
  NatsAccount,
  NatsAccountChanges,
  NatsAccountWithSeed,
  NewNatsAccount,
} from '../records/spaces-keys-and-members';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface NatsAccountQuery extends PageQuery {
  status?: NatsAccount['status'];
}

/** Accounts of a Space's services on NATS. */
export class NatsAccounts {
  constructor(private readonly http: Http) {}

  list(spaceId: string, query: NatsAccountQuery = {}): Promise<Page<NatsAccount>> {
    return getPage(this.http, `/spaces/${spaceId}/nats-accounts`, query);
  }

  all(spaceId: string, query: Omit<NatsAccountQuery, 'cursor'> = {}): AsyncGenerator<NatsAccount> {
    return everyRow((cursor) => this.list(spaceId, { ...query, cursor }));
  }

  get(spaceId: string, accountId: string): Promise<NatsAccount> {
    return this.http.data({ method: 'GET', path: `/spaces/${spaceId}/nats-accounts/${accountId}` });
  }

  /** The seed is in this answer and in no other. Waits up to ten seconds until the NATS server knows the user. */
  create(spaceId: string, account: NewNatsAccount, options: RequestOptions = {}): Promise<NatsAccountWithSeed> {
    return this.http.data({ method: 'POST', path: `/spaces/${spaceId}/nats-accounts`, body: account, ...options });
  }

  /** Role and scopes can only shrink. Limits change one by one; null removes one. */
  update(spaceId: string, accountId: string, changes: NatsAccountChanges): Promise<NatsAccount> {
    return this.http.data({ method: 'PATCH', path: `/spaces/${spaceId}/nats-accounts/${accountId}`, body: changes });
  }

  /** The account's token usage today and this month, and tokens reserved by running calls. */
  usage(spaceId: string, accountId: string): Promise<KeyUsage> {
    return this.http.data({ method: 'GET', path: `/spaces/${spaceId}/nats-accounts/${accountId}/usage` });
  }

  /** A new NATS user for the same account; the old one goes on for the grace. */
  rotate(
    spaceId: string,
    accountId: string,
    rotation: { graceSeconds?: number; publicKey?: string } = {},
    options: RequestOptions = {},
  ): Promise<NatsAccountWithSeed> {
    const path = `/spaces/${spaceId}/nats-accounts/${accountId}/rotate`;
    return this.http.data({ method: 'POST', path, body: rotation, ...options });
  }

  revoke(spaceId: string, accountId: string): Promise<NatsAccount> {
    return this.http.data({ method: 'POST', path: `/spaces/${spaceId}/nats-accounts/${accountId}/revoke`, body: {} });
  }
}
