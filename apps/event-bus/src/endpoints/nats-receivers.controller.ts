import { Controller } from '@nestjs/common';
import { type Ctx, KeySignals, type NatsReceiverChanged } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { NatsReceivers } from './nats-receivers';

@Controller()
export class NatsReceiversController {
  constructor(private readonly receivers: NatsReceivers) {}

  @Handles(KeySignals.natsReceiverChanged)
  onChanged({ spaceId, accountId }: NatsReceiverChanged, _ctx: Ctx): Promise<void> {
    return this.receivers.changed(spaceId, accountId);
  }
}
