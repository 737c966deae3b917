import type { TestSpace } from '@switchyard/testing';
import { Pool } from 'pg';

export interface BenchAccount {
  id: string;
  publicKey: string;
  seed: string;
}

/** A new account of the Space with the highest limits. */
export async function accountIn(space: TestSpace, databaseUrl: string): Promise<BenchAccount> {
  const made = await space.owner.post(`/spaces/${space.id}/nats-accounts`, { name: 'bench', scopes: ['*'] });
  if (made.status !== 201) throw new Error(`no account was made: ${JSON.stringify(made.body)}`);
  const account = (made.body as { data: BenchAccount }).data;
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  // The most that an account can have.
  const limits = { requestsPerMinute: 1_000_000 };
  await pool.query('update key.nats_accounts set limits = $2 where account_id = $1', [account.id, limits]);
  await pool.end();
  return account;
}
