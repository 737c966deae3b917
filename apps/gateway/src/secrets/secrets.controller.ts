import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import {
  CreateSecret,
  type Ctx,
  DeleteSecretQuery,
  Deleted,
  PageRequest,
  SecretCalls,
  SecretView,
  SecretWithUsers,
  UpdateSecretBody,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, ok, page, type Success } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/secrets')
export class SecretsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({
    summary: 'Create a secret',
    description:
      'Used as `{{ secrets.NAME }}` in the query of the `url`, the `headers` and the `body` of http steps and in the ' +
      '`headers` of MCP servers. The value is never shown again.',
    calls: SecretCalls.create,
    status: 201,
  })
  async create(@Caller() ctx: Ctx, @Body() body: CreateSecret): Promise<Success<SecretView>> {
    return ok('Secret created.', await this.bus.call(SecretCalls.create, ctx, body));
  }

  @Get()
  @Endpoint({ summary: 'List the secrets of the Space', description: 'Without their values.', calls: SecretCalls.list })
  async list(@Caller() ctx: Ctx, @Query() query: PageRequest): Promise<Success<SecretView[]> & { page: PageOfRows }> {
    return page('Secrets.', await this.bus.call(SecretCalls.list, ctx, query), query.limit);
  }

  @Get(':secretId')
  @Endpoint({
    summary: 'Read a secret',
    description: 'With the tasks and agents that use it; without its value.',
    calls: SecretCalls.get,
  })
  async get(@Caller() ctx: Ctx, @Param('secretId', IdPipe) id: string): Promise<Success<SecretWithUsers>> {
    return ok('The secret.', await this.bus.call(SecretCalls.get, ctx, { id }));
  }

  @Put(':secretId')
  @Endpoint({
    summary: 'Change the value, description or hosts of a secret',
    description:
      'Only the given fields change. A new value holds within a second, for runs in progress at their next step.',
    calls: SecretCalls.update,
  })
  async update(
    @Caller() ctx: Ctx,
    @Param('secretId', IdPipe) id: string,
    @Body() body: UpdateSecretBody,
  ): Promise<Success<SecretView>> {
    const { value, description, hosts } = body;
    return ok('Secret changed.', await this.bus.call(SecretCalls.update, ctx, { id, value, description, hosts }));
  }

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
