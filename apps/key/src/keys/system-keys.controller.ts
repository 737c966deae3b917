import { Controller } from '@nestjs/common';
import {
  type Ctx,
  type IssueSystemKey,
  KeyCalls,
  type Nothing,
  type OfApplication,
  type RotateSystemKey,
  type SystemKey,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SystemKeysService } from './system-keys.service';

@Controller()
export class SystemKeysController {
  constructor(private readonly keys: SystemKeysService) {}

  @Handles(KeyCalls.issueSystemKey)
  issue(data: IssueSystemKey, ctx: Ctx): Promise<SystemKey> {
    return this.keys.issue(ctx, data);
  }

  @Handles(KeyCalls.rotateSystemKey)
  rotate(data: RotateSystemKey, ctx: Ctx): Promise<SystemKey> {
    return this.keys.rotate(ctx, data);
  }

  @Handles(KeyCalls.revokeSystemKey)
  async revoke(data: OfApplication, ctx: Ctx): Promise<Nothing> {
    await this.keys.revoke(ctx, data.applicationId);
    return {};
  }
}
