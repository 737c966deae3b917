import { Controller } from '@nestjs/common';
import { InSpace, KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SpacePolicyCache } from './space-policy-cache';

@Controller()
export class SpacePoliciesController {
  constructor(private readonly policies: SpacePolicyCache) {}

  @Handles(KeySignals.settingsChanged) onSettingsChanged(data: InSpace): void {
    this.policies.invalidate(data.spaceId);
  }
}
