import { Controller } from '@nestjs/common';
import { CredentialAltered, KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { KeyLimitsCache } from './key-limits-cache';

@Controller()
export class KeyLimitsController {
  constructor(private readonly limits: KeyLimitsCache) {}

  @Handles(KeySignals.credentialChanged) onCredentialChanged(data: CredentialAltered): void {
    this.limits.invalidate(data.credentialId);
  }
}
