import { Injectable } from '@nestjs/common';
import {
  checkApprovals,
  type CreateSpace,
  type Ctx,
  type EffectiveSettings,
  KeySignals,
  type ListSuspendedSpaces,
  NO_CEILINGS,
  NO_SPACE,
  type Page,
  type PageRequest,
  type SpaceView,
  type SuspendedSpaces,
  type UpdateSpace,
  type WebhookSecret,
  actAs,
  requireUser,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime, onceAfter } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { recordedChanges } from '../audit/security-event-diff';
import { SecurityLog } from '../audit/security-log';
import { MembersRepository } from '../db/members.repository';
import { SpaceTotalsRepository } from '../db/space-totals.repository';
import { PayersRepository } from '../db/payers.repository';
import { type SpaceOfMember, SpacesRepository } from '../db/spaces.repository';
import { otherPayerOf } from '../domain/space-payer';
import { checkCeilings, effectiveSettings, mergeSettings } from '../domain/space-settings';
import { KeyConfig } from '../key.config';
import { EntityLimits } from '../limits/entity-limits';
import { requireOwnSpace, unknownSpace } from '../domain/require-own-space';
import { type NewSpaceRules, SpaceCreationRules } from './space-creation-rules';
import { SpaceUsageReader } from './space-usage-reader';
import { spaceView } from './space-view';
import { WebhookSecrets } from './webhook-secrets';

const LIST = listByTime('spaces', (row: SpaceOfMember) => ({ at: row.createdAt, id: row.id }));

const SUSPENDED_PAGE = 500;

interface MadeSpace extends NewSpaceRules {
  id: string;
  name: string;
}

@Injectable()
export class SpacesService {
  constructor(
    private readonly database: Database,
    private readonly payers: PayersRepository,
    private readonly members: MembersRepository,
    private readonly spaces: SpacesRepository,
    private readonly secrets: WebhookSecrets,
    private readonly totals: SpaceTotalsRepository,
    private readonly creation: SpaceCreationRules,
    private readonly use: SpaceUsageReader,
    private readonly log: SecurityLog,
    private readonly bus: Bus,
    private readonly slots: EntityLimits,
    private readonly config: KeyConfig,
  ) {}

  /** A key sees the one Space it acts in; a signed-in person sees all of theirs. */
  list(ctx: Ctx, request: PageRequest): Promise<Page<SpaceView>> {
    const userId = requireUser(ctx);
    const onlySpaceId = ctx.credentialType === 'jwt' ? null : ctx.spaceId;
    const window = LIST.windowOf(request);
    return this.database.system('list the Spaces of a person', async (tx) => {
      const rows = await this.spaces.listOfUser(tx, userId, { ...window, onlySpaceId });
      return LIST.pageOf(rows, window, spaceView);
    });
  }

  async create(ctx: Ctx, { name }: CreateSpace): Promise<SpaceView> {
    const userId = requireUser(ctx);
    // A person without a Space can use idempotency keys too.
    const home = ctx.spaceId ?? NO_SPACE;
    const work = async (tx: Tx): Promise<SpaceView> => {
      const makers = await this.creation.requireAllowed(tx, ctx);
      const id = newId();
      await this.spaces.enter(tx, id);
      const space = await this.found(tx, ctx, { id, name, ...makers });
      await this.spaces.enter(tx, home);
      return spaceView(space);
    };
    return onceAfter(this.database, { ...ctx, spaceId: home }, () => this.requirePlace(userId), work);
  }

  /** Checked beforehand: concurrent creations can exceed the limit by their number, which is harmless. */
  private async requirePlace(userId: string): Promise<void> {
    const used = await this.database.system('count the Spaces of a person', (tx) =>
      this.spaces.countOfUser(tx, userId),
    );
    this.slots.requireFree('spaces', used, userId);
  }

  /** A Space with its maker as OWNER. The transaction must be allowed to write into it. */
  async found(tx: Tx, ctx: Ctx, made: MadeSpace): Promise<SpaceOfMember> {
    const userId = requireUser(ctx);
    await this.insert(tx, actAs(ctx, { spaceId: made.id }), made);
    await this.members.insert(tx, { spaceId: made.id, userId, role: 'OWNER' });
    const space = await this.spaces.findOfMember(tx, made.id, userId);
    if (!space) throw new Error('a new Space is not there');
    return space;
  }

  /** A Space without members; `ctx` names it already. */
  async insert(tx: Tx, ctx: Ctx, { id, name, startingTokens, madeByKind }: MadeSpace): Promise<void> {
    const sealedWebhookSecret = this.secrets.make(id).sealed;
    await this.spaces.insert(tx, {
      id,
      name: name.trim(),
      sealedWebhookSecret,
      startingTokens,
      madeBy: ctx.userId,
      madeByKind,
    });
    await this.totals.add(tx, id, startingTokens);
    await this.log.inSpace(tx, ctx, 'space.created', id);
  }

  async get(ctx: Ctx, spaceId: string): Promise<SpaceView> {
    const { space, sealed } = await this.database.transaction(ctx, async (tx) => {
      const found = await this.getOwn(tx, ctx, spaceId);
      const isInCharge = roleAtLeast(found.role, 'ADMIN');
      return { space: found, sealed: isInCharge ? await this.findSecret(tx, spaceId) : null };
    });
    if (sealed === null) return spaceView(space);
    const ceilings = { ...NO_CEILINGS, ...space.ceilings };
    const secret = this.secrets.shown(spaceId, sealed);
    return { ...spaceView(space), ...secret, ceilings, used: await this.use.read(ctx, space.id) };
  }

  async update(ctx: Ctx, change: UpdateSpace): Promise<SpaceView> {
    const { TASK_CONCURRENCY_MAX: taskConcurrency, JOB_CONCURRENCY_MAX: jobConcurrency } = this.config;
    checkApprovals(change.settings?.approvals ?? [], 'settings.approvals');
    const view = await this.database.transaction(ctx, async (tx) => {
      const before = await this.spaces.findLocked(tx, requireOwnSpace(ctx, change.spaceId));
      if (!before) throw unknownSpace();
      checkCeilings(change.settings ?? {}, before.ceilings, { taskConcurrency, jobConcurrency });
      const settings = mergeSettings(before.settings, change.settings ?? {});
      await this.spaces.update(tx, before.id, { name: change.name?.trim() ?? before.name, settings });
      const given = {
        ...(change.name === undefined ? {} : { name: change.name.trim() }),
        ...(change.settings ?? {}),
      };
      const details = recordedChanges({ ...before.settings, name: before.name }, given);
      await this.log.inSpace(tx, ctx, 'space.changed', before.id, { ...details });
      return spaceView(await this.getOwn(tx, ctx, before.id));
    });
    this.bus.signal(KeySignals.settingsChanged, ctx, { spaceId: change.spaceId });
    return view;
  }

  rotateWebhookSecret(ctx: Ctx, spaceId: string): Promise<WebhookSecret> {
    return this.database.transaction(ctx, async (tx) => {
      const { webhookSecret, sealed } = this.secrets.make(requireOwnSpace(ctx, spaceId));
      if (!(await this.spaces.setWebhookSecret(tx, spaceId, sealed))) throw unknownSpace();
      await this.log.inSpace(tx, ctx, 'space.webhook-secret-rotated', spaceId);
      return { webhookSecret };
    });
  }

  /** For the services that send callbacks. */
  webhookSecret(spaceId: string): Promise<WebhookSecret> {
    return this.database.inSpace(spaceId, async (tx) => ({
      webhookSecret: this.secrets.open(spaceId, await this.findSecret(tx, spaceId)),
    }));
  }

  /** For the services that keep to the settings. */
  async settings(spaceId: string): Promise<EffectiveSettings> {
    const space = await this.database.inSpace(spaceId, (tx) => this.spaces.find(tx, spaceId));
    if (!space) throw unknownSpace();
    if (otherPayerOf(space) === null) return effectiveSettings(space);
    const payers = await this.database.system('find the payer of a Space', (tx) => this.payers.behind(tx, [space]));
    return effectiveSettings(space, payers);
  }

  /** Read from the database each time, because services cannot undo their reactions to it. */
  async listSuspended({ after: last, resumedAfter }: ListSuspendedSpaces): Promise<SuspendedSpaces> {
    const after = last ?? null;
    const rows = await this.database.system('list suspended Spaces', (tx) =>
      resumedAfter === undefined
        ? this.spaces.listSuspended(tx, after, SUSPENDED_PAGE + 1)
        : this.spaces.listResumed(tx, resumedAfter, after, SUSPENDED_PAGE + 1),
    );
    // A page has all suspensions of its Spaces.
    const [overflow] = [...new Set(rows.map(({ spaceId }) => spaceId))].slice(SUSPENDED_PAGE);
    return { items: rows.filter(({ spaceId }) => spaceId !== overflow), hasMore: overflow !== undefined };
  }

  private async getOwn(tx: Tx, ctx: Ctx, spaceId: string): Promise<SpaceOfMember> {
    const space = await this.spaces.findOfMember(tx, requireOwnSpace(ctx, spaceId), requireUser(ctx));
    if (!space) throw unknownSpace();
    return space;
  }

  private async findSecret(tx: Tx, spaceId: string): Promise<Buffer> {
    const row = await this.spaces.findWebhookSecret(tx, spaceId);
    if (!row) throw unknownSpace();
    return row.sealedWebhookSecret;
  }
}
