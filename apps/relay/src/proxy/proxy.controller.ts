import { Controller } from '@nestjs/common';
import { type Ctx, ProxyRequest, RelayStreams } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { ProxyService } from './proxy.service';

@Controller()
export class ProxyController {
  constructor(private readonly proxy: ProxyService) {}

  @Handles(RelayStreams.proxy) handle(data: ProxyRequest, ctx: Ctx): AsyncIterable<Uint8Array> {
    return this.proxy.handle(ctx, data);
  }
}
