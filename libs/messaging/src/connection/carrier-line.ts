import { Events, type NatsConnection, connect } from 'nats';
import type { BusOptions } from '../options';
import { connectOptions } from './connect-options';
import { sendOncePerTurn } from './send-once-per-turn';

/**
 * The line on which events go to JetStream. A server whose store is stuck (its disk is full, say) reads nothing more
 * from whoever gave it something to store: on the line of the calls, their answers would be stuck behind it.
 */
export class CarrierLine {
  private connection: NatsConnection | undefined;
  private opening: Promise<void> | undefined;
  private up = false;

  constructor(
    private readonly options: BusOptions,
    private readonly onUp: () => void,
  ) {}

  get isUp(): boolean {
    return this.up;
  }

  /** Only once it has been up. */
  get nc(): NatsConnection {
    if (!this.connection) throw new Error('the line to the carrier has not been open yet');
    return this.connection;
  }

  open(): void {
    this.opening ??= this.connect();
    this.opening.catch((error: unknown) => {
      this.options.log.error({ err: error }, 'the line to the carrier was not opened');
    });
  }

  async close(): Promise<void> {
    const connection = this.connection;
    if (!connection || connection.isClosed()) return;
    if (this.up) await Promise.race([connection.drain(), new Promise((resolve) => setTimeout(resolve, 1000))]);
    if (!connection.isClosed()) await connection.close();
  }

  private async connect(): Promise<void> {
    const connection = await connect(connectOptions(this.options, 'carrier'));
    this.connection = connection;
    sendOncePerTurn(connection);
    void this.watch(connection);
    this.markUp();
  }

  private markUp(): void {
    this.up = true;
    this.onUp();
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const { type, data, permissionContext } of connection.status()) {
      if (type === Events.Disconnect) this.up = false;
      else if (type === Events.Reconnect) this.markUp();
      else if (type === Events.Error)
        this.options.log.error(
          { error: JSON.stringify(data), permission: permissionContext },
          'NATS refused something',
        );
    }
    this.up = false;
  }
}
