import { Controller } from '@nestjs/common';
import { type AcceptInvitation, type Ctx, KeyCalls, type SignedIn } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { InvitationsService } from './invitations.service';

@Controller()
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Handles(KeyCalls.acceptInvitation)
  accept(data: AcceptInvitation, ctx: Ctx): Promise<SignedIn> {
    return this.invitations.accept(ctx, data);
  }
}
