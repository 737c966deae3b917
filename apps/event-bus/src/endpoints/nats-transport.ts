import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { sleep } from '@switchyard/kernel';
import { Acknowledgements, type ServiceMessage, type ServicesConnection, deliverySubject } from '@switchyard/messaging';
import { type AttemptResult, Logger, Metrics, Workers, failure, natsApiConnection } from '@switchyard/service';
import { EventBusConfig } from '../event-bus.config';
import { readNatsReply } from './nats-reply';

export interface NatsMessage {
  account: string;
  /** Name of the endpoint. */
  endpoint: string;
  webhookId: string;
  /** The envelope that caused the message; null for a test. */
  envelopeId: string | null;
  /** Of what caused the message. */
  traceparent: string | null;
  attempt: number;
  body: string;
  ackMs: number;
  /** The longest wait, however often the service says that it goes on. */
  limitMs?: number;
  /** The service goes on with it. */
  onProgress?: () => void;
}

export type NatsOutcome =
  | { kind: 'replied'; attempt: AttemptResult; isDiscarded: boolean }
  /** There is no subscriber. */
  | { kind: 'no-listener' }
  /** The connection was lost, or this process ends: a reply may be lost too. */
  | { kind: 'interrupted' };

/** While this process ends, so long for the replies to what it has sent. */
const REPLIES_AT_STOP_MS = 2_000;

/** Sends events to services over NATS: one message for each attempt, and waits for its reply. */
@Injectable()
export class NatsTransport implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly connection: ServicesConnection | undefined;
  private readonly acknowledgements: Acknowledgements | undefined;
  private readonly interrupts = new Set<() => void>();

  constructor(config: EventBusConfig, workers: Workers, logger: Logger, metrics: Metrics) {
    this.connection = natsApiConnection(config, { name: 'switchyard-event-bus', log: logger, metrics });
    if (!this.connection) return;
    this.acknowledgements = new Acknowledgements(this.connection);
    this.connection.onDown(() => {
      this.interruptAll();
    });
    workers.atStop(() => this.endReplies());
  }

  onApplicationBootstrap(): void {
    this.connection?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection?.close();
  }

  /** Whether this platform has a NATS server of services. */
  get isOn(): boolean {
    return this.connection !== undefined;
  }

  get isUp(): boolean {
    return this.connection?.isUp === true;
  }

  /** Messages without a reply yet. */
  get open(): number {
    return this.interrupts.size;
  }

  /** Never throws. */
  send(message: NatsMessage): Promise<NatsOutcome> {
    const { connection, acknowledgements } = this;
    if (!connection || !acknowledgements) return Promise.resolve({ kind: 'interrupted' });
    const at = new Date();
    const begun = performance.now();
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (outcome: NatsOutcome): void => {
        clearTimeout(timer);
        this.interrupts.delete(interrupt);
        address.close();
        resolve(outcome);
      };
      const interrupt = (): void => {
        end({ kind: 'interrupted' });
      };
      const replied = (result: Pick<AttemptResult, 'status' | 'error' | 'retryAfterMs'>, isDiscarded = false): void => {
        const durationMs = Math.round(performance.now() - begun);
        end({ kind: 'replied', attempt: { at: at.toISOString(), durationMs, ...result }, isDiscarded });
      };
      const wait = (): void => {
        clearTimeout(timer);
        const remainingMs = (message.limitMs ?? Infinity) - (performance.now() - begun);
        timer = setTimeout(
          () => {
            replied({ status: null, error: timeoutFailure(message.ackMs), retryAfterMs: null });
          },
          Math.min(message.ackMs, Math.max(0, remainingMs)),
        );
      };
      const onReply = (_: number, { headers, hasNoResponders }: ServiceMessage): boolean => {
        if (hasNoResponders) {
          end({ kind: 'no-listener' });
          return true;
        }
        const reply = readNatsReply(headers);
        switch (reply.kind) {
          case 'progress':
            wait();
            message.onProgress?.();
            break;
          case 'acknowledged':
            replied({ status: 200, error: null, retryAfterMs: null });
            break;
          case 'discarded':
            replied({ status: reply.status, error: failure('DISCARDED', reply.text), retryAfterMs: null }, true);
            break;
          case 'failed':
            replied({
              status: reply.status,
              error: failure('SERVICE_ERROR', reply.text),
              retryAfterMs: reply.retryAfterMs,
            });
        }
        return reply.kind !== 'progress';
      };
      const address = acknowledgements.open({ account: message.account, onReply });
      this.interrupts.add(interrupt);
      wait();
      try {
        const isSent = connection.publish(`${deliverySubject(message.account)}.${message.endpoint}`, {
          body: message.body,
          headers: headersOf(message, at),
          reply: address.addressOf(0),
        });
        if (!isSent) interrupt();
      } catch {
        const error = failure('PAYLOAD_TOO_LARGE', 'The NATS server of services takes no message of this size.');
        replied({ status: null, error, retryAfterMs: null });
      }
    });
  }

  private interruptAll(): void {
    for (const interrupt of this.interrupts) interrupt();
  }

  private async endReplies(): Promise<void> {
    const end = Date.now() + REPLIES_AT_STOP_MS;
    while (this.interrupts.size > 0 && Date.now() < end) await sleep(20);
    this.interruptAll();
  }
}

const timeoutFailure = (ackMs: number): NonNullable<AttemptResult['error']> =>
  failure('TIMEOUT', `The service did not reply within ${Math.round(ackMs / 1000)} seconds.`);

function headersOf({ webhookId, envelopeId, traceparent, attempt }: NatsMessage, at: Date): Record<string, string> {
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'Switchyard-Attempt': String(attempt),
    ...(envelopeId === null ? {} : { 'Switchyard-Cause': envelopeId }),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
