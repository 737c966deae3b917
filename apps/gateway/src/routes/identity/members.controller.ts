import { Body, Controller, Param, Post } from '@nestjs/common';
import { AddMemberBody, type Ctx, KeyCalls, MemberView } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, type Success } from '../../routing/success-response';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';

@Controller('api/spaces/:spaceId/members')
export class MembersController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({
    operationId: 'addMember',
    summary: 'Add a member to the Space',
    description:
      'With `password`: an account of this Space, at once. Without it: an invitation, whose token is shown this once ' +
      'and works for 72 hours. Accounts that the address has in other Spaces play no part. Only an OWNER adds an OWNER.',
    calls: KeyCalls.addMember,
    status: 201,
    tag: 'spaces',
  })
  async add(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Body() body: AddMemberBody,
  ): Promise<Success<MemberView>> {
    const request = { spaceId, email: body.email, role: body.role, password: body.password };
    const member = await this.bus.call(KeyCalls.addMember, ctx, request);
    return ok(member.status === 'INVITED' ? 'Member invited.' : 'Member added.', member);
  }
}
