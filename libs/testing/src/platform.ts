import { readFileSync } from 'node:fs';
import { AdminDatabase } from './admin-database';
import { Client } from './client';
import type { PlatformState } from './platform-state';
import { ProcessHandle } from './process-handle';
import { type TestSpace, createSpace, signIn } from './space';

/** An access token lasts 15 minutes; what runs for an hour (a soak) needs the owner all the time. */
const SIGN_IN_AGAIN_MS = 10 * 60_000;

/** The platform that tools/test.mjs has started for the tests. */
export class TestPlatform {
  readonly database = new AdminDatabase(() => this.state.databaseUrl);
  private bootstrapOwner: Promise<Client> | undefined;
  private signedInAt = 0;

  /** As it is now: processes come and go. */
  get state(): PlatformState {
    const file = process.env.SWITCHYARD_TEST_STATE;
    if (!file) throw new Error('No platform runs for this test. Start it with: node tools/test.mjs <jest arguments>');
    return JSON.parse(readFileSync(file, 'utf8')) as PlatformState;
  }

  get url(): string {
    return this.state.url;
  }

  /** Speaks without a credential. */
  get anonymous(): Client {
    return new Client(this.url, null);
  }

  /** The owner made at the first start, signed in to the first Space. */
  owner(): Promise<Client> {
    const { email, password } = this.state.owner;
    if (Date.now() - this.signedInAt > SIGN_IN_AGAIN_MS) this.bootstrapOwner = undefined;
    if (!this.bootstrapOwner) this.signedInAt = Date.now();
    this.bootstrapOwner ??= signIn(this.anonymous, email, password);
    return this.bootstrapOwner;
  }

  async newSpace(name?: string): Promise<TestSpace> {
    return createSpace(await this.owner(), name);
  }

  /** A service, the simulator, or (once `start` was called on it) a further replica of a service, like `agent-2`. */
  service(name: string): ProcessHandle {
    return new ProcessHandle(name, () => this.state);
  }

  server(name: 'postgres' | 'nats' | 'redis'): ProcessHandle {
    return new ProcessHandle(name, () => this.state);
  }
}

/** Call it at the top of a spec file. */
export function usePlatform(): TestPlatform {
  const platform = new TestPlatform();
  afterAll(() => platform.database.close());
  return platform;
}
