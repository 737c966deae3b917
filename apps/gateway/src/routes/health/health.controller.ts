import { Controller, Get, Res } from '@nestjs/common';
import { Health } from '@switchyard/service';
import { Endpoint } from '../../routing/endpoint.decorator';
import type { ApiReply } from '../../http/api-request';

@Controller('health')
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('live')
  @Endpoint({
    operationId: 'getLiveness',
    summary: 'Check liveness',
    access: 'public',
    raw: true,
    unlimited: true,
    tag: 'operations',
  })
  live(): { status: string } {
    return { status: 'live' };
  }

  @Get('ready')
  @Endpoint({
    operationId: 'getReadiness',
    summary: 'Check readiness, dependency by dependency',
    access: 'public',
    raw: true,
    unlimited: true,
    tag: 'operations',
  })
  async ready(@Res() reply: ApiReply): Promise<void> {
    const report = await this.health.report();
    void reply.status(report.ready ? 200 : 503).send(report);
  }
}
