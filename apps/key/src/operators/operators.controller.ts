import { Controller } from '@nestjs/common';
import {
  type AccountView,
  type CreateOperatorKey,
  type Ctx,
  KeyCalls,
  type ListOperatorKeys,
  type OfAccount,
  type OfOperatorKey,
  type OperatorKeyView,
  type OperatorKeyWithValue,
  type Page,
  type PageRequest,
  type RotateOperatorKey,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { OperatorKeysService } from './operator-keys.service';
import { OperatorsService } from './operators.service';

@Controller()
export class OperatorsController {
  constructor(
    private readonly operators: OperatorsService,
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
