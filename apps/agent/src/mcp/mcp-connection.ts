import { rejectOnAbort } from '@switchyard/kernel';
import type { Client } from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };

/** A connection that several calls share. Once retired it takes no more calls, and closes when the last one is done. */
export class McpConnection {
  private users = 0;
  private retired = false;

  constructor(
    private readonly client: Promise<Client>,
    /** Ends what the connection itself holds open. */
    private readonly lifetime: AbortController,
  ) {
    client.catch(() => undefined);
  }

  async use<T>(signal: AbortSignal, stopped: () => Error, work: (client: Client) => Promise<T>): Promise<T> {
    this.users += 1;
    try {
      const client = await rejectOnAbort(signal, this.client, stopped);
      return await rejectOnAbort(signal, work(client), stopped);
    } finally {
      this.users -= 1;
      this.closeIfUnused();
    }
  }

  retire(): void {
    this.retired = true;
    this.closeIfUnused();
  }

  private closeIfUnused(): void {
    if (!this.retired || this.users > 0) return;
    void this.client.then((client) => client.close()).catch(() => undefined);
    this.lifetime.abort();
  }
}
