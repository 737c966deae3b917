import { ConsoleSession, SwitchyardClient, SwitchyardError } from '@switchyard/client';

type SignedIn = Awaited<ReturnType<ConsoleSession['refresh']>>;

export type AuthState =
  | { status: 'starting' }
  | { status: 'signed-out' }
  /** `expired`: the page stays as it is, and asks to sign in again. */
  | { status: 'signed-in' | 'expired'; user: SignedIn['user']; space: SignedIn['space'] };

const baseUrl = window.location.origin;
/** A token is renewed this long before it ends. */
const EARLY_MS = 60_000;

/** Who is signed in. The access token lives here alone; the refresh token is a cookie that this code cannot read. */
class ConsoleAuth {
  private readonly session = new ConsoleSession({ baseUrl });
  private readonly listeners = new Set<() => void>();
  private readonly tabs = new BroadcastChannel('switchyard-console');
  private token: { value: string; endsAt: number } | null = null;
  private state: AuthState = { status: 'starting' };
  readonly client = new SwitchyardClient({ baseUrl, credential: () => this.credential() });

  constructor() {
    this.tabs.onmessage = ({ data }: MessageEvent<SignedIn | null>) => {
      if (data === null) this.forget();
      // Another Space in another tab is that tab's own choice.
      else if (!('space' in this.state) || this.state.space.id === data.space.id) this.keep(data);
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): AuthState => this.state;

  async start(): Promise<void> {
    if (this.state.status !== 'starting') return;
    await this.renew().catch(() => this.set({ status: 'signed-out' }));
  }

  async signIn(email: string, password: string, spaceId?: string): Promise<void> {
    const signedIn = await this.session.open({ email, password, ...(spaceId ? { spaceId } : {}) });
    this.keep(signedIn);
    this.tabs.postMessage(signedIn);
  }

  async switchSpace(spaceId: string): Promise<void> {
    const token = await this.credential();
    this.keep(await this.session.switchSpace(spaceId, token));
  }

  async signOut(): Promise<void> {
    await this.session.close().catch(() => undefined);
    this.forget();
    this.tabs.postMessage(null);
  }

  /** The API has refused the credential: it asks for the password again, over the page as it is. */
  expire(): void {
    this.token = null;
    if (this.state.status === 'signed-in') this.set({ ...this.state, status: 'expired' });
  }

  /** The Space has another name now. */
  changed({ id, name }: { id: string; name: string }): void {
    if ('space' in this.state && this.state.space.id === id)
      this.set({ ...this.state, space: { ...this.state.space, name } });
  }

  private async credential(): Promise<string> {
    if (this.token && this.token.endsAt - EARLY_MS > Date.now()) return this.token.value;
    try {
      return await this.renew();
    } catch (error) {
      if (error instanceof SwitchyardError && error.status === 401) this.expire();
      throw error;
    }
  }

  /** One tab at a time: who waited finds the token that the other tab was given. */
  private async renew(): Promise<string> {
    const before = this.token?.value;
    return navigator.locks.request('switchyard-console-session', async () => {
      if (this.token && this.token.value !== before) return this.token.value;
      const signedIn = await this.session.refresh();
      this.keep(signedIn);
      this.tabs.postMessage(signedIn);
      return signedIn.accessToken;
    });
  }

  private keep({ accessToken, expiresIn, user, space }: SignedIn): void {
    this.token = { value: accessToken, endsAt: Date.now() + expiresIn * 1000 };
    this.set({ status: 'signed-in', user, space });
  }

  private forget(): void {
    this.token = null;
    this.set({ status: 'signed-out' });
  }

  private set(state: AuthState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const auth = new ConsoleAuth();
