import { Controller } from '@nestjs/common';
import { InSpace, KeySignals, RelaySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ContentCapture, SpacePolicyCache } from '@switchyard/service';
import { LedgerWriter } from './ledger-writer';
import { SpendingLimitsCache } from './spending-limits-cache';

@Controller()
export class LimitChangesController {
  constructor(
    private readonly caps: SpendingLimitsCache,
    private readonly ledgerWriter: LedgerWriter,
    private readonly capture: ContentCapture,
    private readonly policies: SpacePolicyCache,
  ) {}

  @Handles(KeySignals.settingsChanged) onSettingsChanged(data: InSpace): void {
    this.policies.invalidate(data.spaceId);
    this.caps.invalidate(data.spaceId);
    this.ledgerWriter.invalidateBalance(data.spaceId);
    this.capture.invalidate(data.spaceId);
  }

  @Handles(RelaySignals.accountChanged) onAccountChanged(data: InSpace): void {
    this.ledgerWriter.invalidateBalance(data.spaceId);
  }
}
