import { Injectable } from '@nestjs/common';
import {
  type Ctx,
  KeyCalls,
  type MemberTouched,
  actAs,
  caused,
  isDisabledAccount,
  roleAtLeast,
  serviceCtx,
} from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { AppError, upToEntries } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { LRUCache } from 'lru-cache';
import type { ExecutionRow } from '../db/executions.repository';
import { scopesOfOldTask } from '../domain/task-scopes';

const NO_OWNER = "The task's owner is no longer a member of this Space; save the task's steps to take it over.";
const DISABLED_OWNER =
  "The owner's account is disabled. The task runs again once an operator enables it, or somebody else saves the task's steps.";
const WEAK_OWNER = "The task's owner may only read in this Space now; save the task's steps to take it over.";

const ACTIVE_AGES = { freshMs: 5000, staleMs: 5000, renewMs: 4000 };

/** A run acts as the owner of its task, with the role of now and the scopes that were recorded when it was saved. */
@Injectable()
export class RunIdentity {
  private readonly active = new RefreshingCache<boolean>(ACTIVE_AGES);
  /** Owners that may not act, until the key service says otherwise, and the reason. */
  private readonly inactive = new LRUCache<string, string>(upToEntries(10_000));

  constructor(private readonly bus: Bus) {
    bus.onDown(() => {
      this.active.expireAll();
    });
  }

  /** Refuses with FORBIDDEN where the owner has left the Space or is disabled, as far as that is known. */
  async requireOwner({ spaceId, ownerId }: ExecutionRow): Promise<void> {
    if (ownerId === null) return;
    const owner = `${spaceId}/${ownerId}`;
    const existing = this.active.get(owner, () => this.loadIsActive(spaceId, ownerId));
    // If nothing else is known of the owner, steps without side effects run on while the key service does not answer.
    const isActive = await Promise.resolve(existing).catch(() => !this.inactive.has(owner));
    if (!isActive) throw new AppError('FORBIDDEN', this.inactive.get(owner) ?? NO_OWNER);
  }

  memberChanged({ spaceId, userId }: MemberTouched): void {
    this.active.delete(`${spaceId}/${userId}`);
  }

  private async loadIsActive(spaceId: string, userId: string): Promise<boolean> {
    const refusal = await this.refusalOf(spaceId, userId);
    if (refusal === null) this.inactive.delete(`${spaceId}/${userId}`);
    else this.inactive.set(`${spaceId}/${userId}`, refusal);
    return refusal === null;
  }

  private async refusalOf(spaceId: string, userId: string): Promise<string | null> {
    try {
      await this.bus.call(KeyCalls.resolveMember, actAs(serviceCtx('task'), { spaceId }), { userId, spaceId });
      return null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return reasonOf(error);
      throw error;
    }
  }

  /** For stopping what the run has begun, which needs no rights: its owner may have left the Space. */
  toStop({ spaceId, ownerId }: Pick<ExecutionRow, 'spaceId' | 'ownerId'>): Ctx {
    return actAs(serviceCtx('task'), { spaceId, userId: ownerId });
  }

  /**
   * The context for what the run does, in one of its steps or about it. Refuses with FORBIDDEN when the owner may no
   * longer act.
   */
  async of(execution: ExecutionRow, stepId?: string): Promise<Ctx> {
    const { spaceId, ownerId, keyId } = execution;
    const own = actAs(serviceCtx('task'), { spaceId });
    if (ownerId === null) throw new AppError('FORBIDDEN', NO_OWNER);
    const { role } = await this.bus
      .call(KeyCalls.resolveMember, own, { userId: ownerId, spaceId })
      .catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'NOT_FOUND'
          ? new AppError('FORBIDDEN', reasonOf(error))
          : error;
      });
    if (!roleAtLeast(role, 'MEMBER')) throw new AppError('FORBIDDEN', WEAK_OWNER);
    const { causationId, correlationId, depth } = execution;
    const acting = actAs(own, {
      userId: ownerId,
      role,
      scopes: execution.scopes ?? scopesOfOldTask(execution.steps),
      // The key lends its limits alone: permissions were fixed when the task was saved.
      ...(keyId === null ? {} : { credentialId: keyId, credentialType: typeOf(keyId, ownerId) }),
    });
    const ctx = caused(acting, { causationId, correlationId, depth });
    if (stepId === undefined) return ctx;
    const root = execution.root ?? correlationId ?? execution.id;
    return { ...ctx, lineage: { root, parent: `step:${execution.id}/${stepId}` } };
  }
}

const reasonOf = (error: AppError): string => (isDisabledAccount(error) ? DISABLED_OWNER : NO_OWNER);

/** A NATS account is its own user. */
const typeOf = (keyId: string, ownerId: string): 'api_key' | 'nats_account' =>
  keyId === ownerId ? 'nats_account' : 'api_key';
