import { Injectable } from '@nestjs/common';
import { actAs, serviceCtx } from '@switchyard/contracts';
import { Logger } from '@switchyard/service';
import { SecurityEventRecorder } from '../audit/security-event-recorder';

export type DisabledReason = 'GONE' | 'FAILING' | 'NO_LISTENER' | 'ACCOUNT_REVOKED';

/** Says that the platform has disabled an endpoint. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly securityEvents: SecurityEventRecorder,
    private readonly logger: Logger,
  ) {}

  noteDisabled(spaceId: string, endpointId: string, reason: DisabledReason): void {
    this.logger.warn({ spaceId, endpointId, reason }, 'disabled an endpoint');
    this.securityEvents.note(actAs(serviceCtx('event-bus'), { spaceId }), 'endpoint.disabled', endpointId, { reason });
  }
}
