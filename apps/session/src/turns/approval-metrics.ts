import { Injectable } from '@nestjs/common';
import { approvedIds } from '@switchyard/contracts';
import { RefreshingCache } from '@switchyard/concurrency';
import { Database } from '@switchyard/database';
import { Metrics } from '@switchyard/service';
import { type WaitingApprovals, ApprovalsRepository } from '../db/approval-metrics-and-audit.repository';
import type { InteractionRow } from '../db/interactions.repository';
import { viewOfInteraction } from './turn-views';

type ApprovalOutcome = 'asked' | 'approved' | 'denied' | 'expired';

const FRESH_MS = 5_000;

/** How many calls of tools needed an approval, and what became of them. */
@Injectable()
export class ApprovalMetrics {
  private readonly calls;
  private readonly cache = new RefreshingCache<WaitingApprovals>({ freshMs: FRESH_MS });

  constructor(
    private readonly database: Database,
    private readonly approvals: ApprovalsRepository,
    metrics: Metrics,
  ) {
    this.calls = metrics.counter(
      'switchyard_approvals_total',
      'Tool calls that need an approval, by outcome: `asked` when the approval is requested, then `approved`, `denied` or `expired`.',
      ['outcome'],
    );
    metrics.gauge('switchyard_approvals_waiting', 'Approvals without an answer yet.', [], async (gauge) => {
      gauge.set((await this.waiting()).count);
    });
    metrics.gauge(
      'switchyard_approvals_oldest_seconds',
      'How long the oldest approval has waited for its answer.',
      [],
      async (gauge) => {
        gauge.set((await this.waiting()).oldestSeconds);
      },
    );
  }

  onQuestion(interaction: InteractionRow): void {
    this.count(interaction, 'asked', interaction.calls?.length ?? 0);
  }

  expired({ purpose, calls }: { purpose: InteractionRow['purpose']; calls: number }): void {
    this.count({ purpose }, 'expired', calls);
  }

  answered(interaction: InteractionRow): void {
    const approved = approvedIds(viewOfInteraction(interaction)).size;
    this.count(interaction, 'approved', approved);
    this.count(interaction, 'denied', (interaction.calls?.length ?? 0) - approved);
  }

  private count({ purpose }: Pick<InteractionRow, 'purpose'>, outcome: ApprovalOutcome, calls: number): void {
    if (purpose === 'approval' && calls > 0) this.calls.inc({ outcome }, calls);
  }

  /** Both gauges are read by one look. */
  private waiting(): WaitingApprovals | Promise<WaitingApprovals> {
    return this.cache.get('all', () =>
      this.database.system('count waiting approvals', (tx) => this.approvals.waiting(tx)),
    );
  }
}
