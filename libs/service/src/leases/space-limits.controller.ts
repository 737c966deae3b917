import { Controller } from '@nestjs/common';
import { InSpace, KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SpacePolicies } from '../known/space-policies';
import { SpaceLimits } from './space-limits';

@Controller()
export class SpaceLimitsController {
  constructor(
    private readonly limits: SpaceLimits,
    private readonly policies: SpacePolicies,
  ) {}

  @Handles(KeySignals.settingsChanged) onSettingsChanged(data: InSpace): void {
    this.policies.forget(data.spaceId);
    this.limits.forget(data.spaceId);
  }
}
