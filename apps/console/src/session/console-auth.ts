import { ConsoleSession, SwitchyardClient, SwitchyardError } from '@switchyard/client';
import { hasSpace, NO_SPACE, type Session } from './session-context';

type Opened = Awaited<ReturnType<ConsoleSession['refresh']>>;
type SignedIn = Omit<Opened, 'space'> & Pick<Session, 'space'>;
type Identity = Pick<Session, 'user' | 'space'>;

export type AuthState =
  | { status: 'starting' }
  | { status: 'unreachable'; error: Error }
  | { status: 'signed-out' }
  /** `expired`: the page stays as it is, and asks to sign in again. */
  | ({ status: 'signed-in' | 'expired' } & Identity)
  /**
   * Another tab has moved the session to another Space or person. This page stays, and can do nothing until one
   * decides.
   */
  | ({ status: 'elsewhere'; there: Identity } & Identity);

const baseUrl = window.location.origin;
/** A token is renewed this long before it ends. */
const EARLY_MS = 60_000;
const ENDED = 'Your session had ended: this was not done. Do it again once you are signed in.';
const LOCK = 'switchyard-console-session';

/** All that is read and written belongs to one person in one Space. */
export const identityKey = ({ user, space }: { user: { id: string }; space: { id: string } }): string =>
  `${user.id}:${space.id}`;

const isUnauthorized = (error: unknown): boolean => error instanceof SwitchyardError && error.status === 401;

/**
 * The session of this browser. The access token lives here alone; the refresh token is a cookie that this code cannot
 * read, and one for all tabs: every change of the session takes a lock that they share.
 */
class ConsoleAuth {
  private readonly session = new ConsoleSession({ baseUrl });
  private readonly listeners = new Set<() => void>();
  private readonly tabs = new BroadcastChannel('switchyard-console');
  private token: { value: string; endsAt: number } | null = null;
  private state: AuthState = { status: 'starting' };
  /** Counts the sign-outs: an answer that comes after one does not sign in again. */
  private signOuts = 0;

  constructor() {
    this.tabs.onmessage = ({ data }: MessageEvent<SignedIn | null>) => {
      if (data === null) this.forget();
      else this.follow(data);
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): AuthState => this.state;

  /** Whether the person belongs to a Space: operators of the platform may belong to none. */
  hasSpace(): boolean {
    return !('space' in this.state) || hasSpace(this.state.space);
  }

  /** The API as this person sees it in this Space. It never acts in another Space, also if another tab switches. */
  clientOf(identity: Identity): SwitchyardClient {
    const key = identityKey(identity);
    return new SwitchyardClient({
      baseUrl,
      credential: () => this.credentialOf(key),
      fetch: (input, init) => this.fetchAs(key, input, init),
    });
  }

  async start(): Promise<void> {
    if (this.state.status !== 'starting' && this.state.status !== 'unreachable') return;
    try {
      // Skip the request on a first visit: browsers log refused requests in their console.
      if (!(await this.session.isPresent())) throw signedOut();
      await this.renew(null);
    } catch (error) {
      if (isUnauthorized(error)) this.set({ status: 'signed-out' });
      else this.set({ status: 'unreachable', error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  async signIn(email: string, password: string, spaceId?: string): Promise<void> {
    await this.alone(async () => {
      const signedIn = inSpace(await this.session.open({ email, password, ...(spaceId ? { spaceId } : {}) }));
      this.keep(signedIn);
      this.tabs.postMessage(signedIn);
    });
  }

  /** For all tabs: the others ask whether to follow. */
  async switchSpace(spaceId: string): Promise<void> {
    await this.alone(async () => {
      const { accessToken } = await this.session.refresh();
      const signedIn = inSpace(await this.session.switchSpace(spaceId, accessToken));
      this.keep(signedIn);
      this.tabs.postMessage(signedIn);
    });
  }

  /**
   * With a password an account is made of the invitation; without one, the person of this session joins the Space. The
   * address bar forgets the invitation.
   */
  async acceptInvitation(invitation: { token: string; password?: string }): Promise<void> {
    await this.alone(async () => {
      const signedIn = inSpace(await this.session.acceptInvitation(invitation));
      // With its state: the router counts the pages in it.
      window.history.replaceState(window.history.state, '', '/console/activity');
      this.keep(signedIn);
      this.tabs.postMessage(signedIn);
    });
  }

  /** A wrong password is refused as a bad credential is: here it must not end the session. */
  async changePassword(identity: Identity, change: { currentPassword: string; newPassword: string }): Promise<void> {
    const client = new SwitchyardClient({ baseUrl, credential: () => this.credentialOf(identityKey(identity)) });
    await client.auth.changePassword(change);
  }

  /** Goes where another tab has moved the session. */
  async moveThere(): Promise<void> {
    await this.alone(async () => this.keep(inSpace(await this.session.refresh())));
  }

  async signOut(): Promise<void> {
    await this.alone(() => this.session.close().catch(() => undefined));
    this.forget();
    this.tabs.postMessage(null);
  }

  /** The Space has another name now. */
  changed({ id, name }: { id: string; name: string }): void {
    if ('space' in this.state && this.state.space.id === id)
      this.set({ ...this.state, space: { ...this.state.space, name } });
  }

  /** One tab at a time. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    return navigator.locks.request(LOCK, work);
  }

  private async credentialOf(key: string): Promise<string> {
    this.checkIsHere(key);
    if (this.token && this.token.endsAt - EARLY_MS > Date.now()) return this.token.value;
    try {
      await this.renew(this.token?.value ?? null);
    } catch (error) {
      if (isUnauthorized(error)) this.expire();
      throw error;
    }
    this.checkIsHere(key);
    if (!this.token) throw signedOut();
    return this.token.value;
  }

  private checkIsHere(key: string): void {
    if (this.state.status === 'expired' || !('space' in this.state)) throw signedOut();
    if (this.state.status === 'elsewhere' || identityKey(this.state) !== key)
      throw new Error('You are in another Space now. Nothing was sent.');
  }

  /* oxlint-disable no-restricted-globals -- this is the fetch that the client calls. */
  /** A token that is refused before its time is renewed once; where that fails, the password is asked for. */
  private async fetchAs(key: string, input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init);
    const headers = new Headers(init?.headers);
    const refused = headers.get('authorization')?.replace('Bearer ', '') ?? null;
    if (response.status !== 401 || refused === null || init?.body instanceof ReadableStream) return response;
    try {
      if (this.token === null || this.token.value === refused) await this.renew(refused);
      headers.set('authorization', `Bearer ${await this.credentialOf(key)}`);
    } catch (error) {
      return isUnauthorized(error) ? this.ended(response) : response;
    }
    const second = await fetch(input, { ...init, headers });
    return second.status === 401 ? this.ended(second) : second;
  }
  /* oxlint-enable no-restricted-globals */

  /** The API says how a credential is sent: a person is told what became of the deed. */
  private ended({ headers }: Response): Response {
    this.expire();
    const refusal = { success: false, code: 'UNAUTHORIZED', message: ENDED };
    return new Response(JSON.stringify(refusal), { status: 401, headers });
  }

  /** A tab that waited finds the token that another one was given. */
  private async renew(old: string | null): Promise<void> {
    const { signOuts } = this;
    await this.alone(async () => {
      if (this.token && this.token.value !== old) return;
      const signedIn = inSpace(await this.session.refresh());
      if (this.signOuts !== signOuts) throw signedOut();
      this.follow(signedIn);
      this.tabs.postMessage(signedIn);
    });
  }

  /** The cookie's current Space. Another tab may have changed it; this page does not follow by itself. */
  private follow(signedIn: SignedIn): void {
    if (!('space' in this.state) || identityKey(this.state) === identityKey(signedIn)) {
      this.keep(signedIn);
      return;
    }
    this.token = null;
    const { user, space } = this.state;
    this.set({ status: 'elsewhere', user, space, there: { user: signedIn.user, space: signedIn.space } });
  }

  private keep({ accessToken, expiresIn, user, space }: SignedIn): void {
    this.token = { value: accessToken, endsAt: Date.now() + expiresIn * 1000 };
    this.set({ status: 'signed-in', user, space });
  }

  /** The session has ended: it asks for the password again, over the page as it is. */
  private expire(): void {
    this.token = null;
    if (this.state.status === 'signed-in') this.set({ ...this.state, status: 'expired' });
  }

  private forget(): void {
    this.signOuts += 1;
    this.token = null;
    this.set({ status: 'signed-out' });
  }

  private set(state: AuthState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

const inSpace = (opened: Opened): SignedIn => ({ ...opened, space: opened.space ?? NO_SPACE });

const signedOut = (): SwitchyardError => new SwitchyardError(401, 'UNAUTHORIZED', ENDED);

export const auth = new ConsoleAuth();
