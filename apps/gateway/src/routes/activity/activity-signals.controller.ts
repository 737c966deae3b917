import { Controller } from '@nestjs/common';
import { ActivitySignals, type ChangedActivity } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ActivityHub } from './activity-hub';

@Controller()
export class ActivitySignalsController {
  constructor(private readonly hub: ActivityHub) {}

  @Handles(ActivitySignals.changed)
  onChanged(data: ChangedActivity): void {
    this.hub.onChanged(data);
  }
}
