import { Injectable } from '@nestjs/common';
import { type Ctx, type Me, requireSpace, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SpacesRepository } from '../db/spaces.repository';
import { UsersRepository } from '../db/users.repository';
import { spaceView, userView } from '../spaces/space-view';

@Injectable()
export class MeService {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
  ) {}

  me(ctx: Ctx): Promise<Me> {
    const userId = requireUser(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const user = await this.users.find(tx, userId);
      const space = await this.spaces.findOfMember(tx, requireSpace(ctx), userId);
      if (!user || !space) throw new AppError('UNAUTHORIZED', 'The credential is not valid.');
      const scopes = [...ctx.scopes];
      const credential =
        ctx.credentialType === 'api_key'
          ? { type: 'api_key' as const, keyId: ctx.credentialId ?? undefined, scopes }
          : { type: 'jwt' as const, scopes };
      return { user: userView(user), space: spaceView(space), role: space.role, credential };
    });
  }
}
