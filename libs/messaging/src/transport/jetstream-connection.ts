import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Events, type NatsConnection, connect } from 'nats';
import { BUS_OPTIONS, type BusOptions } from '../options';
import { connectOptions } from './connect-options';
import { DeadConnectionDetector } from './dead-connection-detector';
import { endConnection } from './end-connection';
import { avoidLastServer } from './avoid-last-server';
import { coalesceSocketWrites } from './coalesce-socket-writes';

/**
 * Separate connection for JetStream. A server whose store is stuck (disk full) stops reading from connections that
 * published to it, which would also block calls on the same connection. Opened on demand.
 */
@Injectable()
export class JetStreamConnection implements OnModuleDestroy {
  private connection: NatsConnection | undefined;
  private opening: Promise<void> | undefined;
  private detector: DeadConnectionDetector | undefined;
  private readonly listeners: (() => void)[] = [];
  private up = false;
  private closing = false;

  constructor(@Inject(BUS_OPTIONS) private readonly options: BusOptions) {}

  onModuleDestroy(): Promise<void> {
    return this.close();
  }

  /** Called at every connect and reconnect. */
  onUp(listener: () => void): void {
    this.listeners.push(listener);
    if (this.up) listener();
  }

  get isUp(): boolean {
    return this.up;
  }

  /** Only after the first connect. */
  get nc(): NatsConnection {
    if (!this.connection) throw new Error('the line to the carrier has not been open yet');
    return this.connection;
  }

  /** Resolves when the first connection is open or refused. */
  ready(): Promise<void> {
    this.opening ??= this.connect().catch((error: unknown) => {
      this.options.log.error({ err: error }, 'failed to connect to the relay');
    });
    return this.opening;
  }

  private async close(): Promise<void> {
    this.closing = true;
    this.detector?.stop();
    if (this.connection) await endConnection(this.connection, this.up, 1000);
  }

  private async connect(): Promise<void> {
    const connection = await connect(connectOptions(this.options, 'carrier'));
    this.connection = connection;
    // Connected after `close` was called.
    if (this.closing) return connection.close();
    coalesceSocketWrites(connection);
    avoidLastServer(connection);
    this.detector = new DeadConnectionDetector(connection);
    this.detector.start();
    void this.watch(connection);
    this.markUp();
  }

  private markUp(): void {
    this.up = true;
    for (const listener of this.listeners) listener();
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const { type, data, permissionContext } of connection.status()) {
      if (type === Events.Disconnect) this.up = false;
      else if (type === Events.Reconnect) this.markUp();
      else if (type === Events.Error)
        this.options.log.error(
          { error: JSON.stringify(data), permission: permissionContext },
          'NATS reported an error',
        );
    }
    this.up = false;
  }
}
