import { Controller } from '@nestjs/common';
import {
  type AccountView,
  type CreateOperatorKey,
  type Ctx,
  type DisabledAccountView,
  KeyCalls,
  type ListAccounts,
  type ListOperatorKeys,
  type Nothing,
  type OfAccount,
  type OfOperatorKey,
  type OperatorKeyView,
  type OperatorKeyWithValue,
  type Page,
  type PageRequest,
  type PasswordResetView,
  type ResetPassword,
  type RotateOperatorKey,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { OperatorKeysService } from './operator-keys.service';
import { OperatorsService } from './operators.service';
import { PasswordResets } from './password-resets.service';
import { OperatorAccountsService } from './accounts.service';

@Controller()
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly people: OperatorAccountsService,
    private readonly resets: PasswordResets,
    private readonly keys: OperatorKeysService,
  ) {}

  @Handles(KeyCalls.listOperators)
  list(data: PageRequest): Promise<Page<AccountView>> {
    return this.operators.list(data);
  }

  @Handles(KeyCalls.grantOperator)
  grant(data: OfAccount, ctx: Ctx): Promise<AccountView> {
    return this.operators.grant(ctx, data);
  }

  @Handles(KeyCalls.revokeOperator)
  revoke(data: OfAccount, ctx: Ctx): Promise<AccountView> {
    return this.operators.revoke(ctx, data);
  }

  @Handles(KeyCalls.listAccounts)
  listAccounts(data: ListAccounts): Promise<Page<AccountView>> {
    return this.people.list(data);
  }

  @Handles(KeyCalls.getAccount)
  getAccount(data: OfAccount): Promise<AccountView> {
    return this.people.get(data);
  }

  @Handles(KeyCalls.issuePasswordReset)
  issueReset(data: OfAccount, ctx: Ctx): Promise<PasswordResetView> {
    return this.resets.issue(ctx, data);
  }

  @Handles(KeyCalls.resetPassword)
  async resetPassword(data: ResetPassword, ctx: Ctx): Promise<Nothing> {
    await this.resets.use(ctx, data);
    return {};
  }

  @Handles(KeyCalls.disableAccount)
  disable(data: OfAccount, ctx: Ctx): Promise<DisabledAccountView> {
    return this.people.disable(ctx, data);
  }

  @Handles(KeyCalls.enableAccount)
  enable(data: OfAccount, ctx: Ctx): Promise<AccountView> {
    return this.people.enable(ctx, data);
  }

  @Handles(KeyCalls.listOperatorKeys)
  listKeys(data: ListOperatorKeys): Promise<Page<OperatorKeyView>> {
    return this.keys.list(data);
  }

  @Handles(KeyCalls.createOperatorKey)
  createKey(data: CreateOperatorKey, ctx: Ctx): Promise<OperatorKeyWithValue> {
    return this.keys.create(ctx, data);
  }

  @Handles(KeyCalls.rotateOperatorKey)
  rotateKey(data: RotateOperatorKey, ctx: Ctx): Promise<OperatorKeyWithValue> {
    return this.keys.rotate(ctx, data);
  }

  @Handles(KeyCalls.revokeOperatorKey)
  revokeKey(data: OfOperatorKey, ctx: Ctx): Promise<OperatorKeyView> {
    return this.keys.revoke(ctx, data);
  }
}
