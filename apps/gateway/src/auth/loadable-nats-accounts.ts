import { Injectable } from '@nestjs/common';
import { KeyCalls, type LoadableNatsAccount, type NatsAccountChanged, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { Workers } from '@switchyard/service';

/** A lost signal delays a new account by so much. */
const READ_EVERY_MS = 60_000;
const PAGE = 100;

export interface AccountListener {
  added(account: LoadableNatsAccount): void;
  removed(account: LoadableNatsAccount): void;
}

/** The accounts of which a NATS server may have a user: active ones, and revoked ones that it has not removed yet. */
@Injectable()
export class LoadableNatsAccounts {
  private accounts = new Map<string, LoadableNatsAccount>();
  /** Changes during a reading, which may be older. */
  private changes: NatsAccountChanged[] | null = null;
  private reading: Promise<void> | null = null;
  private listener: AccountListener | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly workers: Workers,
  ) {}

  /** Reads the list now and once a minute. `listener` hears of each account when it comes and when it goes. */
  async follow(listener: AccountListener): Promise<void> {
    this.listener = listener;
    this.workers.every('read the accounts of services on NATS', READ_EVERY_MS, () => this.read());
    await this.read();
  }

  onChanged(change: NatsAccountChanged): void {
    if (this.listener === null) return;
    this.changes?.push(change);
    this.take(change);
  }

  /** One reading at a time: changes are noted for one. */
  private read(): Promise<void> {
    this.reading ??= this.readAll().finally(() => (this.reading = null));
    return this.reading;
  }

  private async readAll(): Promise<void> {
    const changes: NatsAccountChanged[] = [];
    this.changes = changes;
    try {
      const found = new Map<string, LoadableNatsAccount>();
      let cursor: string | undefined;
      do {
        const request = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
        const page = await this.bus.call(KeyCalls.listLoadableNatsAccounts, serviceCtx('gateway'), request);
        for (const account of page.items) found.set(account.accountId, account);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      for (const { accountId, spaceId, isLoadable } of changes) {
        if (isLoadable) found.set(accountId, { accountId, spaceId });
        else found.delete(accountId);
      }
      for (const account of found.values()) this.take({ ...account, isLoadable: true });
      for (const account of this.accounts.values())
        if (!found.has(account.accountId)) this.take({ ...account, isLoadable: false });
    } finally {
      this.changes = null;
    }
  }

  private take({ accountId, spaceId, isLoadable }: NatsAccountChanged): void {
    if (isLoadable === this.accounts.has(accountId)) return;
    const account = { accountId, spaceId };
    if (isLoadable) {
      this.accounts.set(accountId, account);
      this.listener?.added(account);
    } else {
      this.accounts.delete(accountId);
      this.listener?.removed(account);
    }
  }
}
