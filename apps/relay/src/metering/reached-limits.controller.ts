import { Controller } from '@nestjs/common';
import { type LimitNoted, type NoteReachedLimit, RelayCalls } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ReachedLimits } from './reached-limits.service';

@Controller()
export class ReachedLimitsController {
  constructor(private readonly limits: ReachedLimits) {}

  @Handles(RelayCalls.noteReachedLimit)
  async note({ spaceId, ...limit }: NoteReachedLimit): Promise<LimitNoted> {
    return { isWatched: await this.limits.note(spaceId, limit) };
  }
}
