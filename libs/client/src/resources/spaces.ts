import type { Http } from '../http/http';
import type { RequestOptions } from '../http/options';
import type {
  Member,
  MemberRemoved,
  NewMember,
  Role,
  SecurityEvent,
  Space,
  SpaceChanges,
} from '../records/spaces-keys-and-members';
import { getPage, type Page, type PageQuery } from './paged-lists';

export class Spaces {
  constructor(private readonly http: Http) {}

  list(query: PageQuery = {}): Promise<Page<Space>> {
    return getPage(this.http, '/spaces', query);
  }

  get(spaceId: string): Promise<Space> {
    return this.http.data({ method: 'GET', path: `/spaces/${spaceId}` });
  }

  create(space: { name: string }, options: RequestOptions = {}): Promise<Space> {
    return this.http.data({ method: 'POST', path: '/spaces', body: space, ...options });
  }

  /** Settings that are not given stay. */
  update(spaceId: string, changes: SpaceChanges): Promise<Space> {
    return this.http.data({ method: 'PATCH', path: `/spaces/${spaceId}`, body: changes });
  }

  members(spaceId: string, query: PageQuery = {}): Promise<Page<Member>> {
    return getPage(this.http, `/spaces/${spaceId}/members`, query);
  }

  /** Without a password the answer is an invitation, with its token shown this once. */
  addMember(spaceId: string, member: NewMember, options: RequestOptions = {}): Promise<Member> {
    return this.http.data({ method: 'POST', path: `/spaces/${spaceId}/members`, body: member, ...options });
  }

  changeRole(spaceId: string, userId: string, role: Role): Promise<Member> {
    return this.http.data({ method: 'PATCH', path: `/spaces/${spaceId}/members/${userId}`, body: { role } });
  }

  /** Withdraws the invitation of a member who has not come yet. */
  removeMember(spaceId: string, userId: string): Promise<MemberRemoved> {
    return this.http.data({ method: 'DELETE', path: `/spaces/${spaceId}/members/${userId}` });
  }

  /** Newest first. `actor` is the id of a person or key, or `machine`. */
  securityEvents(
    spaceId: string,
    query: PageQuery & { action?: string; actor?: string; from?: string; to?: string } = {},
  ): Promise<Page<SecurityEvent>> {
    return getPage(this.http, `/spaces/${spaceId}/security-events`, query);
  }

  rotateWebhookSecret(spaceId: string): Promise<{ webhookSecret: string }> {
    return this.http.data({ method: 'POST', path: `/spaces/${spaceId}/webhook-secret/rotate`, body: {} });
  }
}
