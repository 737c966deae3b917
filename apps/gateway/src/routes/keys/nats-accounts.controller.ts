import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  type Ctx,
  KeyCalls,
  KeyUsage,
  NatsRevisionSibling,
  OperatorNatsAccountView,
  PageRequest,
  RelayCalls,
  pageOf,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, type Success, ok, page } from '../../routing/success-response';
import { AccountIdPipe } from '../../routing/account-id.pipe';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';

@Controller('api/spaces/:spaceId/nats-accounts')
export class NatsAccountsController {
  constructor(private readonly bus: Bus) {}

  @Get(':accountId/usage')
  @Endpoint({
    operationId: 'getNatsAccountUsage',
    summary: 'Read what a NATS account has used of its token limits',
    description: 'Today and this month (UTC), and what running calls hold. `cap` is null without a limit.',
    calls: KeyCalls.getNatsAccount,
    reply: KeyUsage,
  })
  async usage(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Param('accountId', AccountIdPipe) accountId: string,
  ): Promise<Success<KeyUsage>> {
    const { actorId, limits } = await this.bus.call(KeyCalls.getNatsAccount, ctx, { spaceId, accountId });
    const { applications: _, ...counted } = limits;
    const usage = await this.bus.call(RelayCalls.keyUsage, ctx, { keyId: actorId, limits: counted });
    return ok('The usage of the account.', usage);
  }
}

@Controller('api/operator/nats-accounts')
export class OperatorNatsAccountsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({
    operationId: 'listOperatorNatsAccounts',
    summary: 'List the NATS accounts of all Spaces',
    description:
      'For what writes the users of a NATS server. `revision` rises with each change that a server has to load; ' +
      'pages with different revisions were read around a change.',
    calls: KeyCalls.listAllNatsAccounts,
    reply: pageOf(OperatorNatsAccountView),
    siblings: NatsRevisionSibling,
    tag: 'operator',
  })
  async list(
    @Caller() ctx: Ctx,
    @Query() query: PageRequest,
  ): Promise<Success<OperatorNatsAccountView[]> & { page: PageOfRows; revision: number }> {
    const { revision, ...rows } = await this.bus.call(KeyCalls.listAllNatsAccounts, ctx, query);
    return { ...page('NATS accounts.', rows, query.limit), revision };
  }
}
