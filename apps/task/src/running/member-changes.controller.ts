import { Controller } from '@nestjs/common';
import { KeySignals, type MemberTouched } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { RunIdentity } from './run-identity';

/** Hears that a person has left a Space, or was disabled or enabled. */
@Controller()
export class MemberChangesController {
  constructor(private readonly identity: RunIdentity) {}

  @Handles(KeySignals.memberChanged) onMemberChanged(data: MemberTouched): void {
    this.identity.memberChanged(data);
  }
}
