import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Home } from '../launcher/home/home';
import type { Secrets } from '../launcher/home/secrets';
import { findBinary } from '../launcher/servers/binaries';
import { servicesFiles } from '../launcher/servers/nats-services';
import { StopSentence } from '../launcher/stop-sentence';
import { AccountsSync } from './accounts-sync';
import { RefusedCall, operatorApi } from './operator-api';

const KEY_NAME = 'nats accounts of this machine';

interface LauncherSync {
  home: Home;
  secrets: Secrets;
  gatewayUrl: string;
  everyMs: number;
  print: (text: string) => void;
}

/** Keeps the users of the private NATS server for services as the platform has them. */
export function launcherSync({ home, secrets, gatewayUrl, everyMs, print }: LauncherSync): AccountsSync {
  const files = servicesFiles(home);
  const key = new StoredKey(home.file('nats-services/operator-key'), gatewayUrl, secrets);
  const api = operatorApi(gatewayUrl, () => key.value());
  const withKey = {
    read: (current?: number) => key.orNew(() => api.read(current)),
    reportLoaded: (revision: number) => api.reportLoaded(revision),
  };
  const server = {
    usersFile: files.users,
    configFile: files.config,
    pidFile: files.pid,
    binary: findBinary('nats-server'),
    platformKey: secrets.natsApi.publicKey,
  };
  return new AccountsSync(withKey, server, { everyMs, print });
}

/** An operator key with the scope `operator:nats` alone, made with the sign-in of the first owner. */
class StoredKey {
  constructor(
    private readonly file: string,
    private readonly url: string,
    private readonly secrets: Secrets,
  ) {}

  async value(): Promise<string> {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').trim() : this.make();
  }

  /** Once more with a new key if this one is refused. */
  async orNew<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefusedCall) || (error.status !== 401 && error.status !== 403)) throw error;
      await this.make();
      return work();
    }
  }

  private async make(): Promise<string> {
    const { ownerEmail: email, ownerPassword: password } = this.secrets;
    const signedIn = await this.post<{ accessToken: string }>('/auth/login', { email, password });
    if (!signedIn)
      throw new StopSentence(
        'The first owner cannot sign in any more, so no operator key was made. Make one with the scope operator:nats, and run: npm run nats-accounts -- sync --watch',
      );
    const body = { name: KEY_NAME, scopes: ['operator:nats'] };
    const made = await this.post<{ key: string }>('/operator/keys', body, signedIn.accessToken);
    if (!made) throw new StopSentence('The first owner is no operator any more, so no operator key was made.');
    writeFileSync(`${this.file}.new`, made.key, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
    return made.key;
  }

  private async post<T>(path: string, body: object, token?: string): Promise<T | null> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { data: T }).data : null;
  }
}
