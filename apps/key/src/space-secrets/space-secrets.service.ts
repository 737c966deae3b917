import { Injectable } from '@nestjs/common';
import {
  type ContentCaptureView,
  type CreateSecret,
  type Ctx,
  type Deleted,
  type DeleteSecret,
  type OpenedSecrets,
  type Page,
  type PageRequest,
  type SecretUser,
  type SecretView,
  type SecretWithUsers,
  type UnknownSecrets,
  type UpdateSecret,
  requireSpace,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime } from '@switchyard/database';
import { AppError, invalid, newId } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { type SecretRow, SecretsRepository } from '../db/secrets.repository';
import { SpacesRepository } from '../db/spaces.repository';
import { normalHosts, widensHosts } from '../domain/secret-allowed-hosts';
import { secretPlace } from '../domain/encryption-contexts';
import { DataEncryption } from '../secrets/data-encryption';
import { KeyHasher } from '../secrets/key-hasher';
import { EntityLimits } from '../limits/entity-limits';
import { SecretUsageReader } from './secret-usage-reader';

const LIST = listByTime('secrets', (row: SecretRow) => ({ at: row.createdAt, id: row.id }));
const VALUE_BYTES = 8192;
const USERS_NAMED = 10;
/** To look for more than this in every span would cost more than the span is worth. */
const MASKED_BYTES = 128 * 1024;

/** The secrets of a Space. A value leaves only by `open`, to a service that is about to use it. */
@Injectable()
export class SpaceSecrets {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretsRepository,
    private readonly spaces: SpacesRepository,
    private readonly seal: DataEncryption,
    private readonly users: SecretUsageReader,
    private readonly slots: EntityLimits,
    private readonly hasher: KeyHasher,
    private readonly log: SecurityLog,
  ) {}

  create(ctx: Ctx, request: CreateSecret): Promise<SecretView> {
    const spaceId = requireSpace(ctx);
    const createdBy = requireUser(ctx);
    checkValue(request.value);
    const hosts = normalHosts(request.hosts ?? []);
    return this.database.once(this.hasher.keyedFingerprint(ctx), async (tx) => {
      await this.spaces.findLocked(tx, spaceId);
      this.slots.requireFree('secrets', await this.secrets.count(tx, spaceId));
      const id = newId();
      const row = await this.secrets.insert(tx, {
        spaceId,
        id,
        name: request.name,
        description: request.description ?? null,
        hosts,
        sealed: this.seal.seal(request.value, secretPlace(spaceId, id)),
        createdBy,
      });
      if (!row) throw new AppError('CONFLICT', `The Space has a secret called ${request.name} already.`);
      await this.log.inSpace(tx, ctx, 'secret.created', id, { name: row.name, hosts });
      return secretView(row);
    });
  }

  list(ctx: Ctx, request: PageRequest): Promise<Page<SecretView>> {
    const window = LIST.windowOf(request);
    return this.database.transaction(ctx, async (tx) => {
      const rows = await this.secrets.list(tx, requireSpace(ctx), window);
      return LIST.pageOf(rows, window, secretView);
    });
  }

  async get(ctx: Ctx, id: string): Promise<SecretWithUsers> {
    const row = await this.need(ctx, id);
    return { ...secretView(row), usedBy: await this.users.of(ctx, row.name) };
  }

  update(ctx: Ctx, { id, value, description, hosts }: UpdateSecret): Promise<SecretView> {
    const spaceId = requireSpace(ctx);
    if (value !== undefined) checkValue(value);
    const newHosts = hosts && normalHosts(hosts);
    return this.database.transaction(ctx, async (tx) => {
      const before = await this.secrets.findLocked(tx, spaceId, id);
      if (before && newHosts && value === undefined && widensHosts(before.hosts, newHosts))
        throw invalid('value', 'must be given again when the secret may be sent to more hosts than before');
      const after =
        before &&
        (await this.secrets.update(tx, spaceId, id, {
          description: description === undefined ? before.description : description,
          hosts: newHosts ?? before.hosts,
          sealed: value === undefined ? null : this.seal.seal(value, secretPlace(spaceId, id)),
        }));
      if (!after) throw unknownSecret();
      const details = { name: after.name, hosts: after.hosts, newValue: value !== undefined };
      await this.log.inSpace(tx, ctx, 'secret.changed', id, details);
      return secretView(after);
    });
  }

  async remove(ctx: Ctx, { id, force = false }: DeleteSecret): Promise<Deleted> {
    const spaceId = requireSpace(ctx);
    const row = await this.need(ctx, id);
    if (!force) refuseUsed(row.name, await this.users.of(ctx, row.name));
    await this.database.transaction(ctx, async (tx) => {
      if ((await this.secrets.remove(tx, spaceId, id)) === 0) throw unknownSecret();
      await this.log.inSpace(tx, ctx, 'secret.deleted', id, { name: row.name, force });
    });
    return { id, deleted: true };
  }

  check(ctx: Ctx, names: readonly string[]): Promise<UnknownSecrets> {
    return this.database.transaction(ctx, async (tx) => {
      const ids = new Set(await this.secrets.knownNames(tx, requireSpace(ctx), names));
      return { unknown: names.filter((name) => !ids.has(name)) };
    });
  }

  open(ctx: Ctx, names: readonly string[]): Promise<OpenedSecrets> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const rows = await this.secrets.findSealed(tx, spaceId, names);
      await this.secrets.noteUse(tx, spaceId, names);
      const secrets = rows.map(({ id, name, hosts, sealed }) => ({
        name,
        hosts,
        value: this.seal.openOrRefuse(sealed, secretPlace(spaceId, id), unreadable(name)),
      }));
      return { secrets };
    });
  }

  /** Values to mask in captured content; not read for Spaces without capture. */
  captureOf(spaceId: string): Promise<ContentCaptureView> {
    return this.database.inSpace(spaceId, async (tx) => {
      const space = await this.spaces.find(tx, spaceId);
      if (space?.settings.captureContent !== true) return { captures: false, secrets: [] };
      const rows = await this.secrets.findAllSealed(tx, spaceId);
      if (rows.reduce((bytes, { sealed }) => bytes + sealed.length, 0) > MASKED_BYTES)
        return { captures: true, secrets: null };
      return { captures: true, secrets: this.valuesOf(spaceId, rows) };
    });
  }

  /** Null if one cannot be decrypted: content may hold it, and it could not be masked. */
  private valuesOf(spaceId: string, rows: readonly { id: string; sealed: Buffer }[]): string[] | null {
    try {
      return rows.map(({ id, sealed }) => this.seal.open(sealed, secretPlace(spaceId, id)));
    } catch {
      return null;
    }
  }

  private need(ctx: Ctx, id: string): Promise<SecretRow> {
    return this.database.transaction(ctx, async (tx: Tx) => {
      const row = await this.secrets.find(tx, requireSpace(ctx), id);
      if (!row) throw unknownSecret();
      return row;
    });
  }
}

const unreadable = (name: string): string => `The secret ${name} cannot be decrypted. Save it again, with its value.`;

const unknownSecret = (): AppError => new AppError('NOT_FOUND', 'Secret not found.');

function checkValue(value: string): void {
  if (Buffer.byteLength(value) > VALUE_BYTES) throw invalid('value', `must be a string of 1 to ${VALUE_BYTES} bytes`);
}

function refuseUsed(name: string, users: readonly SecretUser[]): void {
  if (users.length === 0) return;
  const named = users.slice(0, USERS_NAMED).map((user) => `${user.kind} "${user.name}" (${user.id})`);
  const more = users.length > USERS_NAMED ? ` and ${users.length - USERS_NAMED} more` : '';
  throw new AppError(
    'CONFLICT',
    `The secret ${name} is used by ${named.join(', ')}${more}. Change them first, or delete it with ?force=true.`,
  );
}

const secretView = (row: SecretRow): SecretView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  hosts: row.hosts,
  version: row.version,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  lastUsedAt: row.lastUsedAt,
});
