import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Ctx, KeyCalls, actAs, approvedIds, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import type { Polled } from '@switchyard/concurrency';
import type { JsonObject } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger, Metrics, Workers } from '@switchyard/service';
import { ApprovalsRepository } from '../db/approval-metrics-and-audit.repository';
import type { AnsweredApproval } from '../db/interactions.repository';
import { SessionConfig } from '../session.config';
import { viewOfInteraction } from '../turns/turn-views';

const BATCH = 100;
/** So many are in memory together. */
const AT_ONCE = 4;

/**
 * Records each approval decision as a security event, also if a process dies: the answer is stored as not recorded, and
 * sent until the key service has it. The service accepts one event per id.
 */
@Injectable()
export class ApprovalDecisionAudit implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly approvals: ApprovalsRepository,
    private readonly bus: Bus,
    private readonly workers: Workers,
    private readonly config: SessionConfig,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'switchyard_approvals_unrecorded',
      'Answered approvals that are not in the security events yet.',
      [],
      async (gauge) => {
        gauge.set(await this.database.system('count unrecorded approvals', (tx) => this.approvals.countUnrecorded(tx)));
      },
    );
  }

  onModuleInit(): void {
    const { SESSION_SWEEP_INTERVAL_MS: often } = this.config;
    const poller = this.database.idlePoller.for(this.approvals.anyUnrecorded);
    this.workers.poll('record answered approvals', often, () => this.recordAll(), poller);
  }

  /** Soon after the answer; the sweep repeats failed reports. */
  answered(approval: AnsweredApproval): void {
    void this.tryToRecord(approval);
  }

  private async recordAll(): Promise<Polled> {
    const due = await this.database.system('find unrecorded approvals', (tx) =>
      this.approvals.listUnrecorded(tx, BATCH),
    );
    for (let at = 0; at < due.length; at += AT_ONCE)
      await Promise.all(due.slice(at, at + AT_ONCE).map(({ spaceId, id }) => this.recordOne(spaceId, id)));
    return due.length > 0 && 'soon';
  }

  private async recordOne(spaceId: string, id: string): Promise<void> {
    const approval = await this.database.system('read an unrecorded approval', (tx) =>
      this.approvals.findUnrecorded(tx, spaceId, id),
    );
    if (approval) await this.tryToRecord(approval);
  }

  private async tryToRecord(approval: AnsweredApproval): Promise<void> {
    try {
      await this.record(approval);
    } catch (error) {
      this.log.warn({ err: error, interaction: approval.id }, 'failed to record an answered approval; retrying');
    }
  }

  private async record(approval: AnsweredApproval): Promise<void> {
    const { spaceId, id } = approval;
    await this.bus.call(KeyCalls.recordSecurityEvent, actorOf(approval), {
      id,
      action: 'approval.answered',
      target: id,
      details: detailsOf(approval),
    });
    await this.database.system('note a recorded approval', (tx) => this.approvals.setRecorded(tx, spaceId, id));
  }
}

const actorOf = ({ spaceId, answeredBy, unrecorded }: AnsweredApproval): Ctx => ({
  ...actAs(serviceCtx('session'), { spaceId, userId: answeredBy, credentialId: unrecorded.credentialId }),
  requestId: unrecorded.requestId,
});

function detailsOf(approval: AnsweredApproval): JsonObject {
  const { agentId, turnId, sessionId, approver, otherText } = approval;
  const approved = approvedIds(viewOfInteraction(approval));
  const calls = (approval.calls ?? []).map((call) => ({
    callId: call.call_id,
    name: call.name,
    digest: call.digest,
    approved: approved.has(call.call_id),
  }));
  return { agentId, turnId, sessionId, by: approver, calls, ...(otherText ? { reason: otherText } : {}) };
}
