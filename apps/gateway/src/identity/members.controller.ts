import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { AddMemberBody, type Ctx, Deleted, KeyCalls, MemberView } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, type Success } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/spaces/:spaceId/members')
export class MembersController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @Endpoint({
    summary: 'Add somebody to the Space',
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

  @Delete(':userId')
  @Endpoint({
    summary: 'Remove a member',
    description:
      'Tokens and keys of the person for this Space end at once; an invitation is withdrawn. The last OWNER stays.',
    calls: KeyCalls.removeMember,
    reply: Deleted,
    tag: 'spaces',
  })
  async remove(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Param('userId', IdPipe) userId: string,
  ): Promise<Success<Deleted>> {
    await this.bus.call(KeyCalls.removeMember, ctx, { spaceId, userId });
    return ok('Member removed.', { id: userId, deleted: true });
  }
}
