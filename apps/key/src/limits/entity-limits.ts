import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Metrics } from '@switchyard/service';
import { KeyConfig } from '../key.config';

export type BoundedThing = 'members' | 'spaces' | 'keys' | 'secrets';

/** How many of a thing one Space or person may have. Every refusal is counted. */
@Injectable()
export class EntityLimits {
  private readonly limits: Record<BoundedThing, { limit: number; message: string }>;
  private readonly refused;

  constructor(config: KeyConfig, metrics: Metrics) {
    this.limits = {
      members: {
        limit: config.MEMBERS_PER_SPACE_MAX,
        message: `A Space has at most ${config.MEMBERS_PER_SPACE_MAX} members and open invitations. Remove one first.`,
      },
      spaces: {
        limit: config.SPACES_PER_USER_MAX,
        message: `An account belongs to at most ${config.SPACES_PER_USER_MAX} Spaces. Leave one first.`,
      },
      secrets: {
        limit: config.SECRETS_PER_SPACE_MAX,
        message: `A Space has at most ${config.SECRETS_PER_SPACE_MAX} secrets. Delete one first.`,
      },
      keys: {
        limit: config.KEYS_PER_USER_MAX,
        message: `You have ${config.KEYS_PER_USER_MAX} active API keys in this Space, the most. Revoke one first.`,
      },
    };
    this.refused = metrics.counter(
      'switchyard_identity_limit_refused_total',
      'Requests that were rejected because a limit of one Space or person was reached.',
      ['what'],
    );
    const limits = metrics.gauge(
      'switchyard_identity_limit',
      'Limits of one Space or user, such as keys, members or Spaces.',
      ['what'],
    );
    for (const [what, { limit }] of Object.entries(this.limits)) limits.set({ what }, limit);
  }

  /** CONFLICT when there is no place for one more. `userId` for a limit of a person. */
  requireFree(what: 'members' | 'secrets', used: number): void;
  requireFree(what: 'spaces' | 'keys', used: number, userId: string): void;
  requireFree(what: BoundedThing, used: number, userId?: string): void {
    const { limit, message } = this.limits[what];
    if (used < limit) return;
    this.refused.inc({ what });
    // A Space does not learn how many others its people belong to.
    if (what === 'spaces') throw new AppError('CONFLICT', message);
    const name = userId === undefined ? what : `users/${userId}/${what}`;
    throw new AppError('CONFLICT', message, { limit: { limit: name, value: limit, until: null } });
  }
}
