import { Controller } from '@nestjs/common';
import {
  type AddMember,
  type ChangeRole,
  type Ctx,
  type MemberRemoved,
  KeyCalls,
  type ListInSpace,
  type MemberRef,
  type MemberView,
  type Page,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { MembersService } from './members.service';

@Controller()
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Handles(KeyCalls.listMembers)
  list(data: ListInSpace, ctx: Ctx): Promise<Page<MemberView>> {
    return this.members.list(ctx, data);
  }

  @Handles(KeyCalls.addMember)
  add(data: AddMember, ctx: Ctx): Promise<MemberView> {
    return this.members.add(ctx, data);
  }

  @Handles(KeyCalls.changeRole)
  changeRole(data: ChangeRole, ctx: Ctx): Promise<MemberView> {
    return this.members.changeRole(ctx, data);
  }

  @Handles(KeyCalls.removeMember)
  remove(data: MemberRef, ctx: Ctx): Promise<MemberRemoved> {
    return this.members.remove(ctx, data);
  }
}
