import { Injectable } from '@nestjs/common';
import { type Ctx, requireUser } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { Metrics } from '@switchyard/service';
import { SpacesRepository } from '../db/spaces.repository';
import { UsersRepository } from '../db/users.repository';
import { refuseCreation } from '../domain/space-creation-limits';
import { KeyConfig } from '../key.config';

export interface NewSpaceRules {
  startingTokens: number;
  madeByKind: 'operator' | 'user';
}

/** Rules for creating a Space by `POST /spaces`, and its initial settings. */
@Injectable()
export class SpaceCreationRules {
  private readonly refused;

  constructor(
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
    private readonly config: KeyConfig,
    metrics: Metrics,
  ) {
    this.refused = metrics.counter('switchyard_space_creations_refused_total', 'Rejected requests to create a Space.', [
      'code',
    ]);
  }

  /** Throws if the caller may not create a Space. Creations by one person wait for each other until `tx` ends. */
  async requireAllowed(tx: Tx, ctx: Ctx): Promise<NewSpaceRules> {
    const userId = requireUser(ctx);
    const { SPACE_CREATION: creation, MEMBER_SPACE_TOKENS, INITIAL_SPACE_TOKENS } = this.config;
    if (isSignIn(ctx) && (await this.users.find(tx, userId))?.operator === true)
      return { startingTokens: INITIAL_SPACE_TOKENS, madeByKind: 'operator' };
    const refusal = creation === 'OPERATOR' ? creationForbidden() : await this.refusalOf(tx, userId);
    if (refusal !== null) {
      this.refused.inc({ code: refusal.code });
      throw refusal;
    }
    return { startingTokens: MEMBER_SPACE_TOKENS, madeByKind: 'user' };
  }

  private async refusalOf(tx: Tx, userId: string): Promise<AppError | null> {
    await this.spaces.lockMaker(tx, userId);
    const made = await this.spaces.countMadeBy(tx, userId);
    const { SPACES_PER_PERSON_AND_DAY: ofDay, SPACES_PER_PERSON: all } = this.config;
    return refuseCreation(made, { ofDay, all }, new Date());
  }
}

/**
 * Keys of a Space are never operators. Tokens of an external issuer are only if they name no Space: such an operator
 * needs a Space to sign in to.
 */
const isSignIn = ({ credentialType, credentialId, userId, spaceId }: Ctx): boolean =>
  credentialType === 'jwt' && (credentialId !== userId || spaceId === null);

const creationForbidden = (): AppError =>
  new AppError('FORBIDDEN', 'Spaces are made by an operator of this platform. Ask one for a Space.');
