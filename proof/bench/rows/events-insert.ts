import { randomUUID } from 'node:crypto';
import { newId } from '@switchyard/kernel';
import { Client } from 'pg';

interface QueuedRow {
  row: object;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * The limit of the disk: the same row into a copy of the table with all indexes, several callers per commit, on one
 * connection. No checks, roles, Spaces or readers.
 */
export class BareInsert {
  private waiting: QueuedRow[] = [];
  private isWriting = false;

  private constructor(private readonly client: Client) {}

  static async start(databaseUrl: string): Promise<BareInsert> {
    const client = new Client({ connectionString: databaseUrl });
    // The server may go first when a run is broken off; the next insert says so.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create schema if not exists bench');
    await client.query('create table if not exists bench.rows (like event_bus.emissions including all)');
    return new BareInsert(client);
  }

  insert(spaceId: string, eventId: string, payload: object): Promise<void> {
    return new Promise((done, failed) => {
      const id = newId();
      const row = { id, spaceId, eventId, key: randomUUID(), payload, at: new Date().toISOString() };
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
          text: `insert into bench.rows (space_id, id, lane, app_identifier, event, event_id, payload, source, status, idempotency_key, fingerprint,
                                         correlation_id, depth, emitted_at)
                 select (r->>'spaceId')::uuid, (r->>'id')::uuid, 1, 'bench', 'order', (r->>'eventId')::uuid, r->'payload', 'app', 'PENDING', r->>'key',
                        'a fingerprint of forty-three characters, so', (r->>'id')::uuid, 0, (r->>'at')::timestamptz
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

  private take(): QueuedRow[] {
    return this.waiting.splice(0, 256);
  }
}
