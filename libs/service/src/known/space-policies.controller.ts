import { Controller } from '@nestjs/common';
import { InSpace, KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { SpacePolicies } from './space-policies';

@Controller()
export class SpacePoliciesController {
  constructor(private readonly policies: SpacePolicies) {}

  @Handles(KeySignals.settingsChanged) onSettingsChanged(data: InSpace): void {
    this.policies.invalidate(data.spaceId);
  }
}
