import { Injectable } from '@nestjs/common';
import { type Ctx, type Me, requireSpace, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { spacesRepository } from '../db/spaces.repository';
import { usersRepository } from '../db/users.repository';
import { spaceView, userView } from '../spaces/space-view';

@Injectable()
export class MeService {
  constructor(private readonly database: Database) {}

  me(ctx: Ctx): Promise<Me> {
    const userId = requireUser(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const user = await usersRepository.find(tx, userId);
      const space = await spacesRepository.findOfMember(tx, requireSpace(ctx), userId);
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
