import { Controller } from '@nestjs/common';
import {
  type ById,
  type ContentCaptureView,
  type CreateSecret,
  type Ctx,
  type Deleted,
  type DeleteSecret,
  type InSpace,
  KeyCalls,
  type OpenedSecrets,
  type Page,
  type PageRequest,
  SecretCalls,
  type SecretNames,
  type SecretView,
  type SecretWithUsers,
  type UnknownSecrets,
  type UpdateSecret,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SpaceSecrets } from './space-secrets.service';

@Controller()
export class SpaceSecretsController {
  constructor(private readonly secrets: SpaceSecrets) {}

  @Handles(SecretCalls.create)
  create(data: CreateSecret, ctx: Ctx): Promise<SecretView> {
    return this.secrets.create(ctx, data);
  }

  @Handles(SecretCalls.list)
  list(data: PageRequest, ctx: Ctx): Promise<Page<SecretView>> {
    return this.secrets.list(ctx, data);
  }

  @Handles(SecretCalls.get)
  get(data: ById, ctx: Ctx): Promise<SecretWithUsers> {
    return this.secrets.get(ctx, data.id);
  }

  @Handles(SecretCalls.update)
  update(data: UpdateSecret, ctx: Ctx): Promise<SecretView> {
    return this.secrets.update(ctx, data);
  }

  @Handles(SecretCalls.remove)
  remove(data: DeleteSecret, ctx: Ctx): Promise<Deleted> {
    return this.secrets.remove(ctx, data);
  }

  @Handles(SecretCalls.check)
  check(data: SecretNames, ctx: Ctx): Promise<UnknownSecrets> {
    return this.secrets.check(ctx, data.names);
  }

  @Handles(SecretCalls.open)
  open(data: SecretNames, ctx: Ctx): Promise<OpenedSecrets> {
    return this.secrets.open(ctx, data.names);
  }

  @Handles(KeyCalls.getContentCapture)
  captureOf(data: InSpace): Promise<ContentCaptureView> {
    return this.secrets.captureOf(data.spaceId);
  }
}
