import type { Http } from '../http/http';
import type { Balance, LedgerRow, NewCredit, UsageRow } from '../records/spaces-keys-and-members';
import { everyRow, getPage, type Page, type PageQuery } from './paged-lists';

export interface UsageQuery {
  from?: string;
  to?: string;
  groupBy?: 'day' | 'model' | 'agent' | 'user' | 'key' | 'source';
}

export class Usage {
  constructor(private readonly http: Http) {}

  /** Tokens, cost and calls, summed up by what `groupBy` says. */
  read(query: UsageQuery = {}): Promise<UsageRow[]> {
    return this.http.data({ method: 'GET', path: '/usage', query: { ...query } });
  }

  balance(): Promise<Balance> {
    return this.http.data({ method: 'GET', path: '/usage/balance' });
  }

  credit(credit: NewCredit): Promise<LedgerRow> {
    const { idempotencyKey } = credit;
    return this.http.data({ method: 'POST', path: '/usage/credits', body: credit, idempotencyKey });
  }

  ledger(query: PageQuery = {}): Promise<Page<LedgerRow>> {
    return getPage(this.http, '/usage/ledger', query);
  }

  allOfLedger(): AsyncGenerator<LedgerRow> {
    return everyRow((cursor) => this.ledger({ limit: 100, cursor }));
  }
}
