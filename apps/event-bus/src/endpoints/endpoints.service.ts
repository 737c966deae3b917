import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ById,
  type CreateEndpoint,
  type Ctx,
  type Deleted,
  type EndpointTransport,
  type EndpointView,
  type EndpointWithSecret,
  type Page,
  type PageRequest,
  type RotateEndpointSecret,
  SecretCalls,
  type SecretUsers,
  type UpdateEndpoint,
  hasScope,
  refusalOf,
  requireSpace,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime } from '@switchyard/database';
import { AppError, invalid, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Egress } from '@switchyard/service';
import { SecurityEventRecorder } from '../audit/security-event-recorder';
import { type EndpointChange, EndpointsRepository } from '../db/endpoints.repository';
import { type EndpointRow, endpointView, receiverOf } from '../domain/endpoint-record';
import { changedHeaders, checkFields, checkScheme, secretNamesOfHeaders } from '../domain/endpoint-rules';
import { EventBusConfig } from '../event-bus.config';
import { EndpointBacklog } from './endpoint-backlog';
import { EndpointEncryption } from './endpoint-encryption';
import { EndpointSender } from './endpoint-sender';
import { NatsReceivers } from './nats-receivers';
import { NatsTransport } from './nats-transport';

const DEFAULT_IN_FLIGHT = { http: 4, nats: 16 };
const DEFAULT_ACK_SECONDS = 30;
const DEFAULT_GRACE_SECONDS = 86_400;
const SECRET_BYTES = 32;

export const noEndpoint = (): AppError => new AppError('NOT_FOUND', 'Endpoint not found.');

const LIST = listByTime('endpoints', (row: EndpointRow) => ({ at: row.createdAt, id: row.id }));

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

const SECRET = { secretFields: ['secret'] };

@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsRepository,
    private readonly encryption: EndpointEncryption,
    private readonly egress: Egress,
    private readonly bus: Bus,
    private readonly config: EventBusConfig,
    private readonly sender: EndpointSender,
    private readonly backlog: EndpointBacklog,
    private readonly nats: NatsTransport,
    private readonly receivers: NatsReceivers,
    private readonly securityEvents: SecurityEventRecorder,
  ) {}

  async create(ctx: Ctx, data: CreateEndpoint): Promise<EndpointWithSecret> {
    const spaceId = requireSpace(ctx);
    const { transport = 'http', headers = {} } = data;
    checkMayChooseReceiver(ctx, transport);
    checkFields(transport, data);
    const receiver =
      transport === 'nats'
        ? { url: null, natsAccountId: await this.checkAccount(spaceId, data.natsAccountId) }
        : { url: this.checkUrl(data.url), natsAccountId: null };
    const secretNames = await this.checkSecrets(ctx, headers);
    const answer = await this.database.once(
      this.encryption.keyedFingerprint(ctx),
      async (tx): Promise<EndpointWithSecret> => {
        const id = newId();
        const secret = transport === 'http' ? newSecret() : undefined;
        const row = await this.endpoints.add(tx, spaceId, {
          id,
          name: data.name,
          transport,
          ...receiver,
          headers: this.encryption.sealHeaders(id, headers),
          secretNames,
          inFlight: data.inFlight ?? DEFAULT_IN_FLIGHT[transport],
          ackSeconds: transport === 'nats' ? (data.ackSeconds ?? DEFAULT_ACK_SECONDS) : null,
          active: data.active ?? true,
          secret: secret === undefined ? null : this.encryption.sealSecret(id, secret),
          createdBy: ctx.userId,
        });
        return { ...endpointView(row, { headers, problem: null }), ...(secret === undefined ? {} : { secret }) };
      },
      SECRET,
    );
    if (!ctx.answer.replayed) this.note(ctx, 'endpoint.created', answer);
    return answer;
  }

  async list(ctx: Ctx, data: PageRequest): Promise<Page<EndpointView>> {
    const window = LIST.windowOf(data);
    const rows = await this.database.transaction(ctx, (tx) => this.endpoints.list(tx, requireSpace(ctx), window));
    return LIST.pageOf(rows, window, (row) => this.view(ctx, row));
  }

  async get(ctx: Ctx, { id }: ById): Promise<EndpointView> {
    return this.view(ctx, await this.database.transaction(ctx, (tx) => this.need(tx, requireSpace(ctx), id)));
  }

  async update(ctx: Ctx, { id, url, headers, inFlight, ackSeconds, active }: UpdateEndpoint): Promise<EndpointView> {
    const spaceId = requireSpace(ctx);
    const change: EndpointChange = {};
    if (url !== undefined) {
      checkMayChooseReceiver(ctx, 'http');
      change.url = this.checkUrl(url);
    }
    if (inFlight !== undefined) change.inFlight = inFlight;
    if (ackSeconds !== undefined) change.ackSeconds = ackSeconds;
    if (active !== undefined) change.active = active;
    if (headers !== undefined) change.secretNames = await this.checkSecrets(ctx, headers);
    const row = await this.database.transaction(ctx, async (tx) => {
      const before = await this.endpoints.findLocked(tx, spaceId, id);
      if (!before) throw noEndpoint();
      checkFields(before.transport, { url, headers, inFlight, ackSeconds });
      if (headers !== undefined) {
        const changed = changedHeaders(headers, this.encryption.tryHeaders(id, before.headers) ?? {});
        change.headers = this.encryption.sealHeaders(id, changed);
        change.secretNames = secretNamesOfHeaders(changed);
      }
      return Object.keys(change).length === 0 ? before : this.endpoints.change(tx, spaceId, id, change);
    });
    if (!row) throw noEndpoint();
    const view = this.view(ctx, row);
    this.note(ctx, 'endpoint.changed', view, {
      fields: Object.keys(change).filter((field) => field !== 'secretNames'),
    });
    if (row.active) this.sender.wake([{ spaceId, queueId: id }]);
    else this.backlog.noteClosed();
    return view;
  }

  async remove(ctx: Ctx, { id }: ById): Promise<Deleted> {
    const spaceId = requireSpace(ctx);
    const row = await this.database.transaction(ctx, async (tx) => {
      const row = await this.endpoints.findLocked(tx, spaceId, id);
      if (!row) throw noEndpoint();
      await this.endpoints.remove(tx, spaceId, id);
      return row;
    });
    this.backlog.noteClosed();
    this.note(ctx, 'endpoint.deleted', row);
    return { id, deleted: true };
  }

  async rotateSecret(ctx: Ctx, { id, graceSeconds }: RotateEndpointSecret): Promise<EndpointWithSecret> {
    const spaceId = requireSpace(ctx);
    const grace = graceSeconds ?? DEFAULT_GRACE_SECONDS;
    const answer = await this.database.once(
      ctx,
      async (tx): Promise<EndpointWithSecret> => {
        const before = await this.endpoints.findLocked(tx, spaceId, id);
        if (!before) throw noEndpoint();
        if (before.secret === null)
          throw new AppError('CONFLICT', 'An endpoint over NATS has no secret: its account proves the sender.');
        const secret = newSecret();
        const next = { secret: this.encryption.sealSecret(id, secret), graceSeconds: grace };
        const row = await this.endpoints.rotate(tx, before, next);
        if (!row) throw noEndpoint();
        return { ...this.view(ctx, row), secret };
      },
      SECRET,
    );
    if (!ctx.answer.replayed) this.note(ctx, 'endpoint.secret-rotated', answer, { graceSeconds: grace });
    return answer;
  }

  async resume(ctx: Ctx, { id }: ById): Promise<EndpointView> {
    const spaceId = requireSpace(ctx);
    const { natsAccountId } = await this.database.transaction(ctx, (tx) => this.needReadable(tx, spaceId, id));
    if (natsAccountId !== null) await this.checkAccount(spaceId, natsAccountId);
    const row = await this.database.transaction(ctx, async (tx) => {
      const before = await this.endpoints.findLocked(tx, spaceId, id);
      if (!before) throw noEndpoint();
      return before.status === 'DISABLED' ? this.endpoints.resume(tx, spaceId, id) : before;
    });
    if (!row) throw noEndpoint();
    const view = this.view(ctx, row);
    this.note(ctx, 'endpoint.resumed', view);
    return view;
  }

  secretUsers(ctx: Ctx, name: string): Promise<SecretUsers> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => ({
      users: await this.endpoints.secretUsers(tx, spaceId, name),
    }));
  }

  async need(tx: Tx, spaceId: string, id: string): Promise<EndpointRow> {
    const row = await this.endpoints.find(tx, spaceId, id);
    if (!row) throw noEndpoint();
    return row;
  }

  /** Refuses an endpoint to which nothing can be sent. */
  async needReadable(tx: Tx, spaceId: string, id: string): Promise<EndpointRow> {
    const row = await this.need(tx, spaceId, id);
    this.encryption.checkReadable(row);
    return row;
  }

  private view(ctx: Ctx, row: EndpointRow): EndpointView {
    if (!roleAtLeast(ctx.role, 'ADMIN')) return endpointView(row, null);
    const headers = this.encryption.tryHeaders(row.id, row.headers);
    return endpointView(row, { headers, problem: this.encryption.problemOf(row) });
  }

  private async checkAccount(spaceId: string, accountId: string | undefined): Promise<string> {
    if (accountId === undefined) throw invalid('natsAccountId', 'is required');
    if (!this.nats.isOn) throw new AppError('CONFLICT', 'The NATS API of this platform is off.');
    const account = await this.receivers.find(spaceId, accountId);
    if (!account) throw new AppError('NOT_FOUND', 'The Space has no such NATS account.');
    if (account.state === 'REVOKED') throw new AppError('CONFLICT', 'The NATS account is revoked.');
    return accountId;
  }

  private checkUrl(text: string | undefined): string {
    if (text === undefined) throw invalid('url', 'is required');
    const url = this.egress.policy.checkUrl(text, 'url');
    checkScheme(url, this.config.ENDPOINTS_ALLOW_HTTP);
    return url.href;
  }

  private async checkSecrets(ctx: Ctx, headers: Readonly<Record<string, string>>): Promise<string[]> {
    const names = secretNamesOfHeaders(headers);
    if (names.length === 0) return names;
    if (!hasScope(ctx.scopes, 'secrets:read'))
      throw new AppError('FORBIDDEN', 'Using secrets in headers of endpoints needs the scope secrets:read.');
    const { unknown } = await this.bus.call(SecretCalls.check, ctx, { names });
    if (unknown.length > 0)
      throw invalid('headers', `name secrets that the Space does not have: ${unknown.join(', ')}`);
    return names;
  }

  private note(
    ctx: Ctx,
    action: string,
    endpoint: Pick<EndpointRow, 'id' | 'name' | 'url' | 'natsAccountId'>,
    details: Record<string, string[] | number> = {},
  ): void {
    const { id, name } = endpoint;
    this.securityEvents.note(ctx, action, id, { name, ...receiverOf(endpoint), ...details });
  }
}

/** An address to which the events of a Space go gives rights; an account can receive them itself. */
function checkMayChooseReceiver(ctx: Ctx, transport: EndpointTransport): void {
  const refusal = refusalOf({ givesRights: true }, ctx);
  if (refusal === null || (transport === 'nats' && ctx.credentialType === 'nats_account')) return;
  throw new AppError('FORBIDDEN', refusal);
}
