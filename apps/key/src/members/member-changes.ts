import { Injectable } from '@nestjs/common';
import { type Ctx, type Role, requireUser } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { MembersRepository } from '../db/members.repository';
import { type SpaceRow, SpacesRepository } from '../db/spaces.repository';
import { type MemberRefusal, refuseRoleChange } from '../domain/role-change-rules';
import { requireOwnSpace, unknownSpace } from '../domain/require-own-space';

const REFUSALS: Record<MemberRefusal, () => AppError> = {
  NEEDS_ADMIN: () => new AppError('FORBIDDEN', 'Only an ADMIN or OWNER of the Space manages its members.'),
  NEEDS_OWNER: () => new AppError('FORBIDDEN', 'Only an OWNER grants, changes or removes an OWNER.'),
  LAST_OWNER: () => new AppError('CONFLICT', 'This is the last OWNER of the Space. Make another member OWNER first.'),
};

export const unknownMember = (): AppError => new AppError('NOT_FOUND', 'Member not found in this Space.');

@Injectable()
export class MemberChanges {
  constructor(
    private readonly members: MembersRepository,
    private readonly spaces: SpacesRepository,
  ) {}

  /** Changes of one Space's members follow each other. */
  async lockSpace(tx: Tx, ctx: Ctx, spaceId: string): Promise<SpaceRow> {
    const space = await this.spaces.findLocked(tx, requireOwnSpace(ctx, spaceId));
    if (!space) throw unknownSpace();
    return space;
  }

  /** With the caller's role of this moment, not the one that the credential was verified with. */
  async requireAllowed(tx: Tx, ctx: Ctx, change: { from: Role | null; to: Role | null }): Promise<void> {
    const spaceId = requireOwnSpace(ctx);
    const actor = await this.members.find(tx, spaceId, requireUser(ctx));
    const owners = await this.members.countOwners(tx, spaceId);
    const refusal = actor ? refuseRoleChange({ actor: actor.role, owners, ...change }) : 'NEEDS_ADMIN';
    if (refusal !== null) throw REFUSALS[refusal]();
  }
}
