import { Controller } from '@nestjs/common';
import { InSpace, KeySignals, RelaySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ContentCapture, SpacePolicies } from '@switchyard/service';
import { Meter } from './meter';
import { SpaceCaps } from './space-caps';

@Controller()
export class SettingsController {
  constructor(
    private readonly caps: SpaceCaps,
    private readonly meter: Meter,
    private readonly capture: ContentCapture,
    private readonly policies: SpacePolicies,
  ) {}

  @Handles(KeySignals.settingsChanged) onSettingsChanged(data: InSpace): void {
    this.policies.invalidate(data.spaceId);
    this.caps.invalidate(data.spaceId);
    this.meter.invalidateBalance(data.spaceId);
    this.capture.invalidate(data.spaceId);
  }

  @Handles(RelaySignals.accountChanged) onAccountChanged(data: InSpace): void {
    this.meter.invalidateBalance(data.spaceId);
  }
}
