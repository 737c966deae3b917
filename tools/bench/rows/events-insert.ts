import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

interface Waiting {
  row: object;
  done: () => void;
  failed: (error: unknown) => void;
}

/** What the disk allows: the same row into a table with the same two indexes, several callers to a commit, on one connection. */
export class BareInsert {
  private waiting: Waiting[] = [];
  private isWriting = false;

  private constructor(private readonly client: Client) {}

  static async start(databaseUrl: string): Promise<BareInsert> {
    const client = new Client({ connectionString: databaseUrl });
    // The server may go first when a run is broken off; the next insert says so.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create schema if not exists bench');
    await client.query(`create table if not exists bench.rows (id uuid primary key, space_id uuid not null, name text not null, key text not null,
                          payload jsonb not null, at timestamptz not null, unique (space_id, name, key))`);
    return new BareInsert(client);
  }

  insert(spaceId: string, payload: object): Promise<void> {
    return new Promise((done, failed) => {
      const row = {
        id: randomUUID(),
        spaceId,
        name: 'order',
        key: randomUUID(),
        payload,
        at: new Date().toISOString(),
      };
      this.waiting.push({ row, done, failed });
      if (!this.isWriting) void this.write();
    });
  }

  async stop(): Promise<void> {
    await this.client.query('drop schema bench cascade');
    await this.client.end();
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    for (let group = this.take(); group.length > 0; group = this.take()) {
      try {
        await this.client.query({
          name: 'bench-insert',
          text: `insert into bench.rows select (r->>'id')::uuid, (r->>'spaceId')::uuid, r->>'name', r->>'key', r->'payload', (r->>'at')::timestamptz
                   from jsonb_array_elements($1::jsonb) r on conflict do nothing`,
          values: [JSON.stringify(group.map(({ row }) => row))],
        });
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.isWriting = false;
  }

  private take(): Waiting[] {
    return this.waiting.splice(0, 256);
  }
}
