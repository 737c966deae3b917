import type { Http } from '../http/http';
import type { Me, SignedIn } from '../records/spaces-keys-and-members';

/** Signing in and out. The access token of an answer is the `credential` of a client; this one's is not changed. */
export class Auth {
  constructor(private readonly http: Http) {}

  login(who: { email: string; password: string; spaceId?: string }): Promise<SignedIn> {
    return this.http.data({ method: 'POST', path: '/auth/login', body: who });
  }

  /**
   * With `password` an account is made of the invitation. Without it, the account of this client's credential, which
   * must be an access token, joins the Space.
   */
  acceptInvitation(invitation: { token: string; password?: string }): Promise<SignedIn> {
    return this.http.data({ method: 'POST', path: '/auth/invitations/accept', body: invitation });
  }

  /** The refresh token is spent by it: keep the new one. */
  refresh(refreshToken: string): Promise<SignedIn> {
    return this.http.data({ method: 'POST', path: '/auth/refresh', body: { refreshToken } });
  }

  async logout(refreshToken: string): Promise<void> {
    await this.http.data({ method: 'POST', path: '/auth/logout', body: { refreshToken } });
  }

  me(): Promise<Me> {
    return this.http.data({ method: 'GET', path: '/auth/me' });
  }

  switchSpace(spaceId: string): Promise<SignedIn> {
    return this.http.data({ method: 'POST', path: '/auth/switch-space', body: { spaceId } });
  }

  async changePassword(change: { currentPassword: string; newPassword: string }): Promise<void> {
    await this.http.data({ method: 'POST', path: '/auth/password', body: change });
  }

  /** With the token that an operator has made: all sign-ins of the person end. */
  async resetPassword(reset: { token: string; password: string }): Promise<void> {
    await this.http.data({ method: 'POST', path: '/auth/password/reset', body: reset });
  }

  /** From now on the person may come with a token of that issuer as well. */
  async linkIdentity(identity: { token: string }): Promise<void> {
    await this.http.data({ method: 'POST', path: '/auth/identities', body: identity });
  }
}
