import { Module } from '@nestjs/common';
import { RelayPlatformEvents } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import {
  KeyLimitsCache,
  KeyLimitsController,
  ServiceModule,
  contentCapture,
  platformEventsController,
} from '@switchyard/service';
import { TurnCostsController } from './activity/turn-costs.controller';
import { TurnCostsService } from './activity/turn-costs.service';
import { CatalogueStore } from './catalogue/catalogue-store';
import { ModelsController } from './catalogue/models.controller';
import { ModelsService } from './catalogue/models.service';
import { SimulatorWatch } from './catalogue/simulator-watch';
import { CompletionsController } from './completions/completions.controller';
import { CompletionsService } from './completions/completions.service';
import { TokenAccountsRepository } from './db/token-accounts.repository';
import { LedgerBatchRepository } from './db/ledger-batch.repository';
import { KeyAccountsRepository } from './db/key-accounts.repository';
import { LedgerRepository } from './db/ledger.repository';
import { ReservationsRepository } from './db/reservations.repository';
import { TurnCostsRepository } from './db/turn-costs.repository';
import { UsageRepository } from './db/usage.repository';
import { UsageSumsRepository } from './db/usage-sums.repository';
import { EmbeddingsController } from './embeddings/embeddings.controller';
import { EmbeddingsService } from './embeddings/embeddings.service';
import { LocalJournal } from './journal/local-journal';
import { CallAdmission } from './metering/call-admission';
import { ModelCallMetrics } from './metering/model-call-metrics';
import { KeyTokenLimits } from './metering/key-token-limits';
import { ReachedLimitsController } from './metering/reached-limits.controller';
import { ReachedLimits } from './metering/reached-limits.service';
import { ReachedLimitsRepository } from './db/reached-limits.repository';
import { JournalKeeper } from './metering/journal-keeper';
import { LedgerWriter } from './metering/ledger-writer';
import { LimitChangesController } from './metering/limit-changes.controller';
import { SpendingLimitsCache } from './metering/spending-limits-cache';
import { OrphanedReservationSweeper } from './metering/orphaned-reservation-sweeper';
import { Tokenizer } from './tokenizer/tokenizer';
import { MeteredProxy } from './proxy/metered-proxy';
import { UncountedProxy } from './proxy/uncounted-proxy';
import { ProxyEndpoint } from './proxy/proxy-endpoint';
import { ProxyService } from './proxy/proxy.service';
import { RelayConfig } from './relay.config';
import { UpstreamConnectionPools } from './upstream/upstream-connection-pools';
import { BatchedStreamReads } from './upstream/batched-stream-reads';
import { ReservedUpstream } from './upstream/reserved-upstream';
import { UpstreamClient } from './upstream/upstream-client';
import { UsageTotalsReporter } from './usage/usage-totals-reporter';
import { UsageController } from './usage/usage.controller';
import { UsageService } from './usage/usage.service';
import { UsageAggregator } from './usage/usage-aggregator';

@Module({
  imports: [ServiceModule.forService({ name: 'relay', config: RelayConfig, database: true })],
  controllers: [
    platformEventsController(RelayPlatformEvents),
    ModelsController,
    CompletionsController,
    EmbeddingsController,
    UsageController,
    LimitChangesController,
    ReachedLimitsController,
    TurnCostsController,
    KeyLimitsController,
  ],
  providers: [
    TurnCostsService,
    CatalogueStore,
    SimulatorWatch,
    ModelsService,
    Tokenizer,
    UpstreamConnectionPools,
    BatchedStreamReads,
    UpstreamClient,
    ReservedUpstream,
    TokenAccountsRepository,
    LedgerBatchRepository,
    KeyAccountsRepository,
    { provide: KeyLimitsCache, useFactory: (bus: Bus) => new KeyLimitsCache(bus), inject: [Bus] },
    contentCapture,
    KeyTokenLimits,
    ReachedLimits,
    ReachedLimitsRepository,
    ReservationsRepository,
    LedgerRepository,
    TurnCostsRepository,
    UsageRepository,
    UsageSumsRepository,
    SpendingLimitsCache,
    LocalJournal,
    LedgerWriter,
    JournalKeeper,
    CallAdmission,
    ModelCallMetrics,
    OrphanedReservationSweeper,
    CompletionsService,
    EmbeddingsService,
    MeteredProxy,
    UncountedProxy,
    ProxyService,
    ProxyEndpoint,
    UsageService,
    UsageTotalsReporter,
    UsageAggregator,
  ],
})
export class RelayModule {}
