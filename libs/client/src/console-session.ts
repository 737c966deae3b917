import { ConnectionError, errorOf } from './http/errors';
import type { SignedIn } from './records/spaces-keys-and-members';

/** As signing in elsewhere, but the refresh token is a cookie that scripts cannot read. */
export type ConsoleSignedIn = Omit<SignedIn, 'refreshToken'>;

/** The session of a page that the deployment itself serves. */
export class ConsoleSession {
  constructor(private readonly options: { baseUrl: string }) {}

  open(who: { email: string; password: string; spaceId?: string }): Promise<ConsoleSignedIn> {
    return this.send<ConsoleSignedIn>('POST', '', who);
  }

  /** Whether this browser has been signed in, and not out again. The sign-in may have ended meanwhile. */
  async isPresent(): Promise<boolean> {
    return (await this.send<{ present: boolean }>('POST', '/present', {})).present;
  }

  /** 401 if no user is signed in. */
  refresh(): Promise<ConsoleSignedIn> {
    return this.send<ConsoleSignedIn>('POST', '/refresh', {});
  }

  switchSpace(spaceId: string, accessToken: string): Promise<ConsoleSignedIn> {
    return this.send<ConsoleSignedIn>('POST', '/switch-space', { spaceId }, { authorization: `Bearer ${accessToken}` });
  }

  /** With a password an account is made of the invitation; without one, the person who is signed in joins the Space. */
  acceptInvitation(invitation: { token: string; password?: string }): Promise<ConsoleSignedIn> {
    return this.send<ConsoleSignedIn>('POST', '/invitation', invitation);
  }

  async close(): Promise<void> {
    await this.send<object>('DELETE', '');
  }

  /** With the token that an operator has made; all sign-ins of the person end. */
  async resetPassword(reset: { token: string; password: string }): Promise<void> {
    await this.sendTo<object>('POST', '/api/auth/password/reset', reset);
  }

  private send<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
    return this.sendTo(method, `/console/session${path}`, body, more);
  }

  private async sendTo<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<T> {
    const headers: Record<string, string> = { 'x-switchyard-console': '1', ...more };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const url = `${this.options.baseUrl.replace(/\/+$/u, '')}${path}`;
    const response = await fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
    }).catch((error: unknown) => {
      throw new ConnectionError(`${method} ${path} got no answer.`, { cause: error });
    });
    if (!response.ok) throw await errorOf(response);
    return ((await response.json()) as { data: T }).data;
  }
}
