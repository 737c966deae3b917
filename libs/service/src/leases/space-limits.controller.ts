import { Controller } from '@nestjs/common';
import { InSpace, KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SpaceLimits } from './space-limits';

@Controller()
export class SpaceLimitsController {
  constructor(private readonly limits: SpaceLimits) {}

  @Handles(KeySignals.settingsChanged) onSettingsChanged(data: InSpace): void {
    this.limits.forget(data.spaceId);
  }
}
