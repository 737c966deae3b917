import { until } from '@switchyard/testing';
import { Client } from 'pg';
import { ownDatabase } from '../own-database';

const PATIENCE_MS = 10_000;

/** The database of a peer that stores its turns. */
export class PeerStore {
  /** Turns that the peer has ended. */
  expected = 0;

  private constructor(
    readonly url: string,
    private readonly client: Client,
    private readonly countStored: string,
  ) {}

  static async open(adminUrl: string, name: string, countStored: string): Promise<PeerStore> {
    const url = await ownDatabase(adminUrl, `bench_${name.replace('-', '_')}`);
    const client = new Client({ connectionString: url });
    await client.connect();
    return new PeerStore(url, client, countStored);
  }

  /** Throws unless the turns of the round are stored too: a peer that only seems to store is no comparison. */
  async hasStored(turns: number): Promise<void> {
    this.expected += turns;
    await until(
      async () => {
        const { rows } = await this.client.query<{ stored: number }>(this.countStored);
        const stored = rows[0]?.stored ?? 0;
        if (stored < this.expected) throw new Error(`it has stored ${stored} of ${this.expected} turns`);
        return true;
      },
      { timeoutMs: PATIENCE_MS },
    );
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
