import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  AddMemberBody,
  ChangeRoleBody,
  type Ctx,
  Deleted,
  KeyCalls,
  MemberView,
  PageRequest,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { type PageOfRows, ok, page, type Success } from '../endpoint/answers';
import { Caller } from '../endpoint/caller.decorator';
import { Endpoint } from '../endpoint/endpoint.decorator';
import { IdPipe } from '../endpoint/id.pipe';

@Controller('api/spaces/:spaceId/members')
export class MembersController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Endpoint({
    summary: 'List the members of the Space',
    description: 'Open invitations stand among them, with `status: INVITED`.',
    calls: KeyCalls.listMembers,
    tag: 'spaces',
  })
  async list(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Query() query: PageRequest,
  ): Promise<Success<MemberView[]> & { page: PageOfRows }> {
    const request = { spaceId, limit: query.limit, cursor: query.cursor };
    return page('Members.', await this.bus.call(KeyCalls.listMembers, ctx, request), query.limit);
  }

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

  @Patch(':userId')
  @Endpoint({ summary: "Change a member's role", calls: KeyCalls.changeRole, tag: 'spaces' })
  async changeRole(
    @Caller() ctx: Ctx,
    @Param('spaceId', IdPipe) spaceId: string,
    @Param('userId', IdPipe) userId: string,
    @Body() body: ChangeRoleBody,
  ): Promise<Success<MemberView>> {
    return ok('Role changed.', await this.bus.call(KeyCalls.changeRole, ctx, { spaceId, userId, role: body.role }));
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
