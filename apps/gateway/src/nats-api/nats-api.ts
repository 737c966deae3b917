import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { KeyCalls, type LoadableNatsAccount, actAs, serviceCtx } from '@switchyard/contracts';
import { backoffMs, sleep, upToEntries } from '@switchyard/kernel';
import {
  Acknowledgements,
  Bus,
  FloodGuard,
  SILENT_MS,
  type ServiceSubscription,
  type ServicesConnection,
  requestSubject,
} from '@switchyard/messaging';
import { Logger, Metrics, natsApiConnection } from '@switchyard/service';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { LoadableNatsAccounts } from '../auth/loadable-nats-accounts';
import { GatewayConfig } from '../gateway.config';
import { AccountMessages, type MessageOutcome, type NatsAccountRecord } from './account-messages';
import { inFlightQuota } from './in-flight-quota';

const QUEUE = 'switchyard';
const READ_AGAIN = { baseMs: 500, maxMs: 10_000 };
const EVENT_ONCE_MS = 60_000;

interface Served {
  messages: AccountMessages;
  flood: FloodGuard;
  subscription: ServiceSubscription | undefined;
  again: NodeJS.Timeout | undefined;
}

/**
 * The NATS API: a transport in front of this gateway's own routes. One subscription for each account whose user the
 * server may have loaded, in a queue that all gateways share.
 */
@Injectable()
export class NatsApi implements OnModuleDestroy, OnApplicationShutdown {
  private readonly connection: ServicesConnection | undefined;
  private readonly served = new Map<string, Served>();
  private readonly inFlight = inFlightQuota();
  private readonly recorded = new LRUCache<string, true>({ ...upToEntries(10_000), ttl: EVENT_ONCE_MS });
  private readonly countOutcome: (outcome: MessageOutcome) => void;
  private readonly countSilenced: () => void;
  private readonly countUnreadStream: () => void;
  private fastify: FastifyInstance | undefined;
  private acknowledgements: Acknowledgements | undefined;
  private isStopping = false;

  constructor(
    private readonly config: GatewayConfig,
    private readonly bus: Bus,
    private readonly accounts: LoadableNatsAccounts,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const messages = metrics.counter(
      'switchyard_nats_api_messages_total',
      'Messages to the NATS API, by outcome: `answered`, `refused` (status 400 and above), `dropped` (no reply address) or `reply_refused` (a reply address of another account).',
      ['outcome'],
    );
    this.countOutcome = (outcome) => {
      messages.inc({ outcome });
    };
    const silenced = metrics.counter(
      'switchyard_nats_api_silenced_total',
      'Accounts that the platform ignored for ten seconds because they sent too many invalid messages.',
    );
    this.countSilenced = () => {
      silenced.inc();
    };
    const unread = metrics.counter(
      'switchyard_nats_api_unread_streams_total',
      'Streams over the NATS API that ended because their reader acknowledged no frame for 30 seconds.',
    );
    this.countUnreadStream = () => {
      unread.inc();
    };
    metrics.bounded(
      {
        name: 'switchyard_nats_api_in_flight',
        help: 'Requests over the NATS API without a reply yet, of the account and the Space that have the most.',
        measures: ['used', 'limit', 'refused'],
        labels: ['bound'],
      },
      (set) => {
        for (const { bound, ...use } of this.inFlight.usage) set(use, { bound });
      },
    );
    this.connection = natsApiConnection(config, { name: 'switchyard-gateway', log: logger, metrics });
  }

  /** Begins to answer, with the routes of this server. */
  start(fastify: FastifyInstance): void {
    const { connection } = this;
    if (!connection) return;
    this.fastify = fastify;
    this.acknowledgements = new Acknowledgements(connection);
    connection.onDown(() => {
      for (const { messages } of this.served.values()) messages.stopStreams();
    });
    connection.start();
    void this.follow();
    this.logger.info({ url: this.config.NATS_API_URL }, 'nats api');
  }

  /** No new requests are taken; those that were are answered. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    const ends = [...this.served.values()].map(async ({ messages, subscription, again }) => {
      clearTimeout(again);
      await subscription?.drain().catch(() => undefined);
      await messages.drained();
    });
    await Promise.race([Promise.all(ends), sleep(this.config.SHUTDOWN_GRACE_MS)]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection?.close();
  }

  private async follow(): Promise<void> {
    const listener = {
      added: ({ accountId, spaceId }: LoadableNatsAccount) => {
        if (!this.isStopping) this.serve({ id: accountId, spaceId });
      },
      removed: ({ accountId }: LoadableNatsAccount) => {
        this.leave(accountId);
      },
    };
    for (let failures = 1; !this.isStopping; failures += 1) {
      try {
        await this.accounts.follow(listener);
        return;
      } catch (error) {
        this.logger.warn({ err: error }, 'failed to read the accounts of the NATS API');
        await sleep(backoffMs(failures, READ_AGAIN));
      }
    }
  }

  private serve(account: NatsAccountRecord): void {
    const { fastify, connection, acknowledgements, inFlight, logger } = this;
    if (!fastify || !connection || !acknowledgements) return;
    const served: Served = {
      messages: new AccountMessages(account, {
        fastify,
        connection,
        acknowledgements,
        inFlight,
        logger,
        count: (_, outcome, bytes) => {
          this.countOutcome(outcome);
          if (outcome !== 'answered' && served.flood.note(bytes)) this.silence(account, served);
        },
        onReplyRefused: () => {
          this.recordRefusedReply(account);
        },
        onUnreadStream: ({ id, spaceId }) => {
          this.countUnreadStream();
          logger.info({ account: id, spaceId }, 'a stream over NATS ended because its reader confirmed nothing');
        },
      }),
      flood: new FloodGuard(),
      subscription: undefined,
      again: undefined,
    };
    this.served.set(account.id, served);
    this.listen(account.id, served);
  }

  private listen(id: string, served: Served): void {
    served.subscription = this.connection?.subscribe(`${requestSubject(id)}.>`, QUEUE, (message) => {
      served.messages.take(message);
    });
  }

  /** The server answers this account's requests with "no responders" meanwhile. */
  private silence(account: NatsAccountRecord, served: Served): void {
    if (served.again !== undefined) return;
    this.countSilenced();
    this.logger.warn({ account: account.id, spaceId: account.spaceId }, 'an account floods the NATS API');
    served.subscription?.end();
    served.again = setTimeout(() => {
      served.again = undefined;
      if (this.served.get(account.id) === served && !this.isStopping) this.listen(account.id, served);
    }, SILENT_MS);
    served.again.unref();
  }

  private leave(id: string): void {
    const served = this.served.get(id);
    if (!served) return;
    clearTimeout(served.again);
    served.subscription?.end();
    served.messages.stopStreams();
    this.served.delete(id);
  }

  private recordRefusedReply({ id, spaceId }: NatsAccountRecord): void {
    if (this.recorded.has(id)) return;
    this.recorded.set(id, true);
    const event = {
      action: 'nats.reply_refused',
      target: id,
      details: { reason: 'A request named a reply address outside of the inbox of its account.' },
    };
    // The account is not asked for its rights here: it is named by the id that people know.
    const ctx = actAs(serviceCtx('gateway'), { spaceId, credentialType: 'nats_account', credentialId: id });
    this.bus.call(KeyCalls.recordSecurityEvent, ctx, event).catch((error: unknown) => {
      this.recorded.delete(id);
      this.logger.warn({ err: error, account: id }, 'failed to record a refused reply address');
    });
  }
}
