import { Controller } from '@nestjs/common';
import {
  type ApiKeyView,
  type ApiKeyWithValue,
  type ById,
  type CreateApiKey,
  type Ctx,
  KeyCalls,
  type CountedLimits,
  type KeyValidity,
  type LimitsOfKey,
  type ListApiKeys,
  type Page,
  type RotateApiKey,
  type UpdateApiKey,
  type ValidateApiKey,
  type VerifiedKey,
  type VerifyKey,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ApiKeysService } from './api-keys.service';
import { KeyVerifier } from './key-verifier';

@Controller()
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly verifier: KeyVerifier,
  ) {}

  @Handles(KeyCalls.verifyKey)
  verify(data: VerifyKey): Promise<VerifiedKey> {
    return this.verifier.verify(data.key);
  }

  @Handles(KeyCalls.validateApiKey)
  validate(data: ValidateApiKey, ctx: Ctx): Promise<KeyValidity> {
    return this.verifier.validate(ctx, data.key);
  }

  @Handles(KeyCalls.createApiKey)
  create(data: CreateApiKey, ctx: Ctx): Promise<ApiKeyWithValue> {
    return this.keys.create(ctx, data);
  }

  @Handles(KeyCalls.listApiKeys)
  list(data: ListApiKeys, ctx: Ctx): Promise<Page<ApiKeyView>> {
    return this.keys.list(ctx, data);
  }

  @Handles(KeyCalls.getApiKey)
  get(data: ById, ctx: Ctx): Promise<ApiKeyView> {
    return this.keys.get(ctx, data.id);
  }

  @Handles(KeyCalls.updateApiKey)
  update(data: UpdateApiKey, ctx: Ctx): Promise<ApiKeyView> {
    return this.keys.update(ctx, data);
  }

  @Handles(KeyCalls.getKeyLimits)
  limits(data: LimitsOfKey, ctx: Ctx): Promise<CountedLimits> {
    return this.keys.limitsOf(ctx, data.keyId);
  }

  @Handles(KeyCalls.revokeApiKey)
  revoke(data: ById, ctx: Ctx): Promise<ApiKeyView> {
    return this.keys.revoke(ctx, data.id);
  }

  @Handles(KeyCalls.rotateApiKey)
  rotate(data: RotateApiKey, ctx: Ctx): Promise<ApiKeyWithValue> {
    return this.keys.rotate(ctx, data);
  }
}
