import type { Envelope, Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  Account,
  DeadLetter,
  NewOperatorKey,
  NewOperatorSpace,
  OperatorKey,
  OperatorKeyWithValue,
  OperatorSpace,
  OperatorSpaceChanges,
  PlatformEvent,
  PoisonedWork,
  SpaceUse,
  TopSpace,
} from '../records/operator';
import type { LedgerRow, ListedNatsAccount, NatsRevision, NewCredit } from '../records/spaces-keys-and-members';
import { getPage, type Page, type PageQuery } from './paged-lists';

/** The platform as its operators see it. For everybody else these routes do not exist. */
export class Operator {
  constructor(private readonly http: Http) {}

  spaces(
    query: PageQuery & { q?: string; status?: OperatorSpace['status']; sort?: 'createdAt' | 'tokens' | 'bytes' } = {},
  ): Promise<Page<OperatorSpace>> {
    return getPage(this.http, '/operator/spaces', query);
  }

  space(spaceId: string): Promise<OperatorSpace> {
    return this.http.data({ method: 'GET', path: `/operator/spaces/${spaceId}` });
  }

  /** The token of the owner's invitation is in the answer, this once. */
  createSpace(space: NewOperatorSpace, options: RequestOptions = {}): Promise<OperatorSpace> {
    return this.http.data({ method: 'POST', path: '/operator/spaces', body: space, ...options });
  }

  /** Ceilings that are not given stay; null is the default. */
  updateSpace(spaceId: string, changes: OperatorSpaceChanges): Promise<OperatorSpace> {
    return this.http.data({ method: 'PATCH', path: `/operator/spaces/${spaceId}`, body: changes });
  }

  suspend(spaceId: string, reason: string): Promise<OperatorSpace> {
    return this.http.data({ method: 'POST', path: `/operator/spaces/${spaceId}/suspend`, body: { reason } });
  }

  resume(spaceId: string): Promise<OperatorSpace> {
    return this.http.data({ method: 'POST', path: `/operator/spaces/${spaceId}/resume` });
  }

  credit(spaceId: string, credit: NewCredit): Promise<LedgerRow> {
    return this.http.data({ method: 'POST', path: `/operator/spaces/${spaceId}/credits`, body: credit });
  }

  operators(query: PageQuery = {}): Promise<Page<Account>> {
    return getPage(this.http, '/operator/operators', query);
  }

  users(query: PageQuery & { q?: string } = {}): Promise<Page<Account>> {
    return getPage(this.http, '/operator/users', query);
  }

  user(userId: string): Promise<Account> {
    return this.http.data({ method: 'GET', path: `/operator/users/${userId}` });
  }

  grant(userId: string): Promise<Account> {
    return this.http.data({ method: 'POST', path: `/operator/users/${userId}/grant` });
  }

  revoke(userId: string): Promise<Account> {
    return this.http.data({ method: 'POST', path: `/operator/users/${userId}/revoke` });
  }

  /** A token for `auth.resetPassword`, shown this once. The old password holds until it is used. */
  resetPassword(userId: string): Promise<{ token: string; expiresAt: string }> {
    return this.http.data({ method: 'POST', path: `/operator/users/${userId}/reset-password` });
  }

  disable(userId: string): Promise<Account> {
    return this.http.data({ method: 'POST', path: `/operator/users/${userId}/disable` });
  }

  enable(userId: string): Promise<Account> {
    return this.http.data({ method: 'POST', path: `/operator/users/${userId}/enable` });
  }

  keys(query: PageQuery = {}): Promise<Page<OperatorKey>> {
    return getPage(this.http, '/operator/keys', query);
  }

  createKey(key: NewOperatorKey, options: RequestOptions = {}): Promise<OperatorKeyWithValue> {
    return this.http.data({ method: 'POST', path: '/operator/keys', body: key, ...options });
  }

  rotateKey(
    keyId: string,
    rotation: { graceSeconds?: number } = {},
    options: RequestOptions = {},
  ): Promise<OperatorKeyWithValue> {
    return this.http.data({ method: 'POST', path: `/operator/keys/${keyId}/rotate`, body: rotation, ...options });
  }

  revokeKey(keyId: string): Promise<OperatorKey> {
    return this.http.data({ method: 'POST', path: `/operator/keys/${keyId}/revoke` });
  }

  /** Of all Spaces, with the revision that they had when the page was read. */
  async natsAccounts(query: PageQuery = {}): Promise<Page<ListedNatsAccount> & { revision: number }> {
    const request = { method: 'GET' as const, path: '/operator/nats-accounts', query: { ...query } };
    const { data, page, revision } = await this.http.json<Envelope<ListedNatsAccount[]> & { revision: number }>(
      request,
    );
    return { items: data, nextCursor: page?.nextCursor ?? null, revision };
  }

  /** Reports that a NATS server has loaded that list. */
  natsAccountsLoaded(revision: number): Promise<NatsRevision> {
    return this.http.data({ method: 'POST', path: '/operator/nats-accounts/loaded', body: { revision } });
  }

  /** The ten Spaces that use most now. */
  top(query: { by?: SpaceUse; minutes?: number } = {}): Promise<TopSpace[]> {
    return this.http.data({ method: 'GET', path: '/operator/top', query });
  }

  poisoned(query: PageQuery & { kind?: string } = {}): Promise<Page<PoisonedWork>> {
    return getPage(this.http, '/operator/poisoned', query);
  }

  /** Takes it up again, with no losses counted. */
  retryPoisoned(id: string): Promise<PoisonedWork> {
    return this.http.data({ method: 'POST', path: `/operator/poisoned/${id}/retry` });
  }

  deadLetters(query: PageQuery = {}): Promise<Page<DeadLetter>> {
    return getPage(this.http, '/operator/dead-letters', query);
  }

  requeueDeadLetter(id: string): Promise<DeadLetter> {
    return this.http.data({ method: 'POST', path: `/operator/dead-letters/${id}/requeue` });
  }

  /** The event is never handled. */
  discardDeadLetter(id: string, reason: string): Promise<DeadLetter> {
    return this.http.data({ method: 'POST', path: `/operator/dead-letters/${id}/discard`, body: { reason } });
  }

  events(
    query: PageQuery & { spaceId?: string; action?: string; actor?: string; from?: string; to?: string } = {},
  ): Promise<Page<PlatformEvent>> {
    return getPage(this.http, '/operator/events', query);
  }
}
