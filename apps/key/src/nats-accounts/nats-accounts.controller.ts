import { Controller } from '@nestjs/common';
import {
  type CreateNatsAccount,
  type Ctx,
  KeyCalls,
  type ListNatsAccounts,
  type LoadableNatsAccount,
  type NatsAccountView,
  type NatsAccountWithSeed,
  type NatsReceivers,
  type NatsReceiversQuery,
  type NatsRevisionLoaded,
  type NatsRevisionView,
  type OfNatsAccount,
  type OperatorNatsAccounts,
  type Page,
  type PageRequest,
  type RotateNatsAccount,
  type UpdateNatsAccount,
  type VerifiedKey,
  type VerifyNatsAccount,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { NatsAccountVerifier } from './nats-account-verifier';
import { NatsAccountsService } from './nats-accounts.service';
import { NatsRevisions } from './nats-revisions.service';

@Controller()
export class NatsAccountsController {
  constructor(
    private readonly accounts: NatsAccountsService,
    private readonly revisions: NatsRevisions,
    private readonly verifier: NatsAccountVerifier,
  ) {}

  @Handles(KeyCalls.createNatsAccount)
  create(data: CreateNatsAccount, ctx: Ctx): Promise<NatsAccountWithSeed> {
    return this.accounts.create(ctx, data);
  }

  @Handles(KeyCalls.listNatsAccounts)
  list(data: ListNatsAccounts, ctx: Ctx): Promise<Page<NatsAccountView>> {
    return this.accounts.list(ctx, data);
  }

  @Handles(KeyCalls.getNatsAccount)
  get(data: OfNatsAccount, ctx: Ctx): Promise<NatsAccountView> {
    return this.accounts.get(ctx, data);
  }

  @Handles(KeyCalls.updateNatsAccount)
  update(data: UpdateNatsAccount, ctx: Ctx): Promise<NatsAccountView> {
    return this.accounts.update(ctx, data);
  }

  @Handles(KeyCalls.rotateNatsAccount)
  rotate(data: RotateNatsAccount, ctx: Ctx): Promise<NatsAccountWithSeed> {
    return this.accounts.rotate(ctx, data);
  }

  @Handles(KeyCalls.revokeNatsAccount)
  revoke(data: OfNatsAccount, ctx: Ctx): Promise<NatsAccountView> {
    return this.accounts.revoke(ctx, data);
  }

  @Handles(KeyCalls.listAllNatsAccounts)
  listAll(data: PageRequest): Promise<OperatorNatsAccounts> {
    return this.revisions.list(data);
  }

  @Handles(KeyCalls.noteNatsRevisionLoaded)
  noteLoaded(data: NatsRevisionLoaded, ctx: Ctx): Promise<NatsRevisionView> {
    return this.revisions.noteLoaded(ctx, data.revision);
  }

  @Handles(KeyCalls.verifyNatsAccount)
  verify(data: VerifyNatsAccount): Promise<VerifiedKey> {
    return this.verifier.verify(data.accountId);
  }

  @Handles(KeyCalls.readNatsReceivers)
  readReceivers(data: NatsReceiversQuery): Promise<NatsReceivers> {
    return this.revisions.receivers(data.accountIds);
  }

  @Handles(KeyCalls.listLoadableNatsAccounts)
  listLoadable(data: PageRequest): Promise<Page<LoadableNatsAccount>> {
    return this.revisions.listLoadable(data);
  }
}
