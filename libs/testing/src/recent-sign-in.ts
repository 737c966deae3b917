import type { Client } from './client';
import { signIn } from './space';

/** An access token lasts 15 minutes; a soak of an hour needs its account all the time. */
const SIGN_IN_AGAIN_MS = 10 * 60_000;

/** An account that is signed in again before its access token expires. */
export class RecentSignIn {
  private client: Promise<Client> | undefined;
  private signedInAt = 0;

  constructor(private readonly open: () => Promise<Client>) {}

  get(): Promise<Client> {
    if (this.client && Date.now() - this.signedInAt < SIGN_IN_AGAIN_MS) return this.client;
    this.signedInAt = Date.now();
    this.client = this.client ? this.client.then(signInAgain) : this.open();
    return this.client;
  }
}

const signInAgain = (before: Client): Promise<Client> =>
  signIn(before.as(null), before.identity.email ?? '', before.identity.password ?? '');
