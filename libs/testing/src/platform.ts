import { readFileSync } from 'node:fs';
import { AdminDatabase } from './admin-database';
import { Client } from './client';
import type { PlatformState } from './platform-state';
import { ProcessHandle } from './process-handle';
import { RecentSignIn } from './recent-sign-in';
import { type TestSpace, createOperator, createSpace, signIn } from './space';

/** The platform that tools/test.mjs has started for the tests. */
export class TestPlatform {
  readonly database = new AdminDatabase(() => this.state.databaseUrl);
  private readonly bootstrapOwner = new RecentSignIn(() => {
    const { email, password } = this.state.owner;
    return signIn(this.anonymous, email, password);
  });
  private readonly fileOperator = new RecentSignIn(async () => createOperator(await this.owner()));

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
    return this.bootstrapOwner.get();
  }

  /** An operator of this test file alone: an account has only so many requests a minute. */
  operator(): Promise<Client> {
    return this.fileOperator.get();
  }

  async newSpace(name?: string): Promise<TestSpace> {
    return createSpace(await this.operator(), name);
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
