import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorApi } from './operator-api';
import { type ServicesServer, applyUsers, usersIn } from './services-server';

export interface SyncResult {
  revision: number;
  /** Users of accounts; null if nothing had changed. */
  users: number | null;
}

/**
 * Brings the users of the NATS server for services to what the platform has. Nothing is changed after an answer that
 * failed or is not whole.
 */
export async function syncOnce(
  api: OperatorApi,
  server: ServicesServer,
  options: { force?: boolean; reported?: number | null } = {},
): Promise<SyncResult> {
  const written = usersIn(server).revision;
  const isReported = options.reported === written && written !== null;
  const accounts = await api.read(isReported ? written : undefined);
  if (accounts === null) return { revision: written ?? 0, users: null };
  await applyUsers(server, accounts, options);
  await api.reportLoaded(accounts.revision);
  return { revision: accounts.revision, users: accounts.users.length };
}

/** Again and again, until it is stopped. A failure is reported once, until the next success. */
export class AccountsSync {
  private readonly ended = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly api: OperatorApi,
    private readonly server: ServicesServer,
    private readonly options: { everyMs: number; force?: boolean; print: (text: string) => void },
  ) {}

  start(): Promise<void> {
    return (this.running ??= this.run());
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { everyMs, force, print } = this.options;
    const { signal } = this.ended;
    let reported: number | null = null;
    let failure: string | undefined;
    while (!signal.aborted) {
      try {
        const result = await syncOnce(this.api, this.server, { force, reported });
        if (result.users !== null && (failure !== undefined || reported !== null))
          print(`nats accounts: revision ${result.revision} is loaded (${result.users} users)`);
        reported = result.revision;
        failure = undefined;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== failure) print(`nats accounts: ${text}`);
        failure = text;
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
