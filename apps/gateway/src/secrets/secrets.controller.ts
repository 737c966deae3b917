import { Controller, Delete, Param, Query } from '@nestjs/common';
import { type Ctx, DeleteSecretQuery, Deleted, SecretCalls } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, type Success } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/secrets')
export class SecretsController {
  constructor(private readonly bus: Bus) {}

  @Delete(':secretId')
  @Endpoint({
    summary: 'Delete a secret',
    description: 'While tasks or agents use it, 409 names them; `force=true` deletes it all the same.',
    calls: SecretCalls.remove,
    reply: Deleted,
  })
  async remove(
    @Caller() ctx: Ctx,
    @Param('secretId', IdPipe) id: string,
    @Query() query: DeleteSecretQuery,
  ): Promise<Success<Deleted>> {
    await this.bus.call(SecretCalls.remove, ctx, { id, force: query.force ?? false });
    return ok('Secret deleted.', { id, deleted: true });
  }
}
