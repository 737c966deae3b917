import { Controller } from '@nestjs/common';
import {
  type CreateSpace,
  type Ctx,
  type EffectiveSettings,
  type InSpace,
  KeyCalls,
  type ListSuspendedSpaces,
  type Page,
  type PageRequest,
  type SpaceView,
  type SuspendedSpaces,
  type UpdateSpace,
  type WebhookSecret,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SpacesService } from './spaces.service';

@Controller()
export class SpacesController {
  constructor(private readonly spaces: SpacesService) {}

  @Handles(KeyCalls.listSpaces)
  list(data: PageRequest, ctx: Ctx): Promise<Page<SpaceView>> {
    return this.spaces.list(ctx, data);
  }

  @Handles(KeyCalls.createSpace)
  create(data: CreateSpace, ctx: Ctx): Promise<SpaceView> {
    return this.spaces.create(ctx, data);
  }

  @Handles(KeyCalls.getSpace)
  get(data: InSpace, ctx: Ctx): Promise<SpaceView> {
    return this.spaces.get(ctx, data.spaceId);
  }

  @Handles(KeyCalls.updateSpace)
  update(data: UpdateSpace, ctx: Ctx): Promise<SpaceView> {
    return this.spaces.update(ctx, data);
  }

  @Handles(KeyCalls.rotateWebhookSecret)
  rotateWebhookSecret(data: InSpace, ctx: Ctx): Promise<WebhookSecret> {
    return this.spaces.rotateWebhookSecret(ctx, data.spaceId);
  }

  @Handles(KeyCalls.getWebhookSecret)
  getWebhookSecret(data: InSpace): Promise<WebhookSecret> {
    return this.spaces.webhookSecret(data.spaceId);
  }

  @Handles(KeyCalls.getSpaceSettings)
  getSpaceSettings(data: InSpace): Promise<EffectiveSettings> {
    return this.spaces.settings(data.spaceId);
  }

  @Handles(KeyCalls.listSuspendedSpaces)
  listSuspended(data: ListSuspendedSpaces): Promise<SuspendedSpaces> {
    return this.spaces.listSuspended(data);
  }
}
