import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Events, NatsConnection, connect } from 'nats';
import { BUS_OPTIONS, type BusOptions } from '../options';
import { connectOptions } from './connect-options';
import { DeadConnectionDetector } from './dead-connection-detector';
import { endConnection } from './end-connection';
import { avoidLastServer } from './avoid-last-server';
import { coalesceSocketWrites } from './coalesce-socket-writes';
import { Subscriptions } from './subscriptions';
import { logConnectFailure } from './log-connect-failure';

const SETTLED_AFTER_MS = 5_000;

/**
 * The NATS connection of a process, for everything but events. It starts without a server, reconnects forever, and
 * reports its state.
 */
@Injectable()
export class NatsConnectionManager {
  private connection: NatsConnection | undefined;
  private connecting: Promise<void> | undefined;
  private up = false;
  private answers = true;
  private readonly silenceListeners = new Set<() => void>();
  private detector: DeadConnectionDetector | undefined;
  /** 0 during the first connection. */
  lastBrokenAt = 0;
  private closing = false;
  /** Aborts when the connection is up again. */
  private outage: AbortController | undefined;
  private readonly upListeners: (() => void)[] = [];
  private readonly downListeners: (() => void)[] = [];
  private readonly refusedListeners: ((operation: string, subject: string) => void)[] = [];

  /** Active subscriptions of this process. */
  readonly subscriptions: Subscriptions;

  constructor(@Inject(BUS_OPTIONS) readonly options: BusOptions) {
    this.subscriptions = new Subscriptions(options.log, () => this.nc);
  }

  /** Connected. The server may still be unresponsive: see `isAnswering`. */
  get isUp(): boolean {
    return this.up;
  }

  /** Connected for a while: after a disconnect, other processes reconnect at about the same time. */
  isSettled(): boolean {
    return this.up && Date.now() - this.lastBrokenAt > SETTLED_AFTER_MS;
  }

  /** False within seven seconds of a server that is frozen or cut off; sooner while a call is pending. */
  get isAnswering(): boolean {
    return this.up && this.answers;
  }

  /** Rejects with `reason` when the server becomes unresponsive or disconnects. `release` stops watching. */
  untilSilent(reason: () => Error): { silent: Promise<never>; release: () => void } {
    let listener: (() => void) | undefined;
    const silent = new Promise<never>((_, reject) => {
      listener = () => {
        reject(reason());
      };
      this.silenceListeners.add(listener);
    });
    const leave = this.detector?.wait();
    silent.catch(() => undefined);
    return {
      silent,
      release: () => {
        if (listener) this.silenceListeners.delete(listener);
        leave?.();
      },
    };
  }

  /** Called at every connect and reconnect, and at once if connected. */
  onUp(listener: () => void): void {
    this.upListeners.push(listener);
    if (this.up) listener();
  }

  /** Called on each disconnect: messages in flight may be lost. */
  onDown(listener: () => void): void {
    this.downListeners.push(listener);
  }

  /** Called with a subject that this process may not publish or subscribe to. */
  onRefused(listener: (operation: string, subject: string) => void): void {
    this.refusedListeners.push(listener);
  }

  /** Resolves when the first connection is open. */
  ready(): Promise<void> {
    this.connecting ??= this.open();
    return this.connecting;
  }

  get nc(): NatsConnection {
    if (!this.connection) throw new AppError('SERVICE_UNAVAILABLE', 'The platform is starting. Try again shortly.');
    return this.connection;
  }

  /** Most bytes of one message besides its headers. */
  get maxPayload(): number {
    return (this.connection?.info?.max_payload ?? 1024 * 1024) - 16 * 1024;
  }

  private async open(): Promise<void> {
    const { log } = this.options;
    this.markUnavailable();
    const connection = await connect(connectOptions(this.options));
    this.connection = connection;
    coalesceSocketWrites(connection);
    avoidLastServer(connection);
    this.detector = new DeadConnectionDetector(connection, (isAnswering) => {
      this.onAnswering(isAnswering);
    });
    this.detector.start();
    this.markUp();
    void this.watch(connection);
    void connection.closed().then((error) => {
      this.up = false;
      if (!this.closing) log.error({ err: error }, 'the connection to NATS closed permanently');
    });
  }

  private onAnswering(isAnswering: boolean): void {
    this.answers = isAnswering;
    if (isAnswering) {
      this.options.log.info({}, 'NATS responds again');
      return;
    }
    this.options.log.warn({}, 'NATS does not respond');
    this.notifySilence();
  }

  private notifySilence(): void {
    for (const listener of [...this.silenceListeners]) listener();
  }

  private markUnavailable(): void {
    this.outage?.abort();
    if (this.closing) return;
    this.outage = new AbortController();
    const { log } = this.options;
    void logConnectFailure(connectOptions(this.options, 'probe'), { log, server: 'NATS' }, this.outage.signal);
  }

  private markUp(): void {
    this.up = true;
    this.outage?.abort();
    for (const listener of this.upListeners) listener();
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        this.up = false;
        this.lastBrokenAt = Date.now();
        this.options.log.warn({}, 'disconnected from NATS');
        this.markUnavailable();
        // The client keeps waiting for replies, which may be lost.
        this.notifySilence();
        for (const listener of this.downListeners) listener();
      } else if (status.type === Events.Reconnect) {
        this.lastBrokenAt = Date.now();
        this.options.log.info({}, 'reconnected to NATS');
        this.markUp();
      } else if (status.type === Events.Error) {
        if (status.permissionContext) this.refused(status.permissionContext);
        this.options.log.error(
          { error: JSON.stringify(status.data), permission: status.permissionContext },
          'NATS reported an error',
        );
      }
    }
  }

  private refused({ operation, subject }: { operation: string; subject: string }): void {
    if (operation === 'subscription') this.subscriptions.onRefused(subject);
    for (const listener of this.refusedListeners) listener(operation, subject);
  }

  /** Flushes, then disconnects. */
  async close(): Promise<void> {
    this.closing = true;
    this.outage?.abort();
    this.detector?.stop();
    this.subscriptions.stop();
    if (this.connection) await endConnection(this.connection, this.up, 3000);
  }
}
