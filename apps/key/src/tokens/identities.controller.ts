import { Controller } from '@nestjs/common';
import {
  type AreMembers,
  type Ctx,
  type ExternalPerson,
  KeyCalls,
  type MemberIdentity,
  type MembersFound,
  type Nothing,
  type ResolveExternalIdentity,
  type ResolveMember,
  type ResolveSignIn,
  type SignInIdentity,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { Identities } from './identities.service';

@Controller()
export class IdentitiesController {
  constructor(private readonly identities: Identities) {}

  @Handles(KeyCalls.resolveMember)
  resolveMember(data: ResolveMember): Promise<MemberIdentity> {
    return this.identities.member(data);
  }

  @Handles(KeyCalls.resolveSignIn)
  resolveSignIn(data: ResolveSignIn): Promise<SignInIdentity> {
    return this.identities.signIn(data);
  }

  @Handles(KeyCalls.resolveExternalIdentity)
  resolveExternalIdentity(data: ResolveExternalIdentity, ctx: Ctx): Promise<ExternalPerson> {
    return this.identities.external(ctx, data);
  }

  @Handles(KeyCalls.linkIdentity)
  async linkIdentity(data: ResolveExternalIdentity, ctx: Ctx): Promise<Nothing> {
    await this.identities.link(ctx, data);
    return {};
  }

  @Handles(KeyCalls.areMembers)
  areMembers(data: AreMembers, ctx: Ctx): Promise<MembersFound> {
    return this.identities.areMembers(ctx, data);
  }
}
