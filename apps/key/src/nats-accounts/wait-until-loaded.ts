import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '@switchyard/database';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';

export const WAIT_MS = 10_000;
const POLL_MS = 250;
/** Above it, answers come without waiting. */
const WAITING_MAX = 1000;

interface Waiting {
  until: number;
  resolve: (admittedAt: string | null) => void;
}

/** Requests that wait until a server has loaded a new user: one query at a time for all of them. */
@Injectable()
export class LoadedUsers {
  private readonly waiting = new Map<string, Set<Waiting>>();
  private count = 0;
  private isPolling = false;

  constructor(
    private readonly database: Database,
    private readonly accounts: NatsAccountsRepository,
  ) {}

  /** The time at which the user was admitted; null if that takes longer than ten seconds. */
  wait(actorId: string): Promise<string | null> {
    if (this.count >= WAITING_MAX) return Promise.resolve(null);
    this.count += 1;
    return new Promise<string | null>((resolve) => {
      const others = this.waiting.get(actorId) ?? new Set();
      this.waiting.set(actorId, others.add({ until: Date.now() + WAIT_MS, resolve }));
      if (!this.isPolling) void this.poll();
    });
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    while (this.waiting.size > 0) {
      await sleep(POLL_MS);
      const ids = [...this.waiting.keys()];
      const admitted = await this.accounts
        .listAdmitted(this.database, ids)
        .catch((): ReadonlyMap<string, string> => new Map());
      for (const id of ids) this.settle(id, admitted.get(id) ?? null);
    }
    this.isPolling = false;
  }

  private settle(id: string, admittedAt: string | null): void {
    const waiting = this.waiting.get(id) ?? new Set();
    for (const each of waiting) {
      if (admittedAt === null && each.until > Date.now()) continue;
      waiting.delete(each);
      this.count -= 1;
      each.resolve(admittedAt);
    }
    if (waiting.size === 0) this.waiting.delete(id);
  }
}
