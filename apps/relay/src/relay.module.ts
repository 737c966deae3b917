import { Module } from '@nestjs/common';
import { Bus } from '@switchyard/messaging';
import { KeyLimitsCache, KeyLimitsController, ServiceModule, contentCapture } from '@switchyard/service';
import { TurnCostsController } from './activity/turn-costs.controller';
import { TurnCostsService } from './activity/turn-costs.service';
import { CatalogueStore } from './catalogue/catalogue-store';
import { ModelsController } from './catalogue/models.controller';
import { ModelsService } from './catalogue/models.service';
import { SimulatorWatch } from './catalogue/simulator-watch';
import { CompletionsController } from './completions/completions.controller';
import { CompletionsService } from './completions/completions.service';
import { AccountsRepository } from './db/accounts.repository';
import { LedgerBatchRepository } from './db/ledger-batch.repository';
import { KeyAccountsRepository } from './db/key-accounts.repository';
import { LedgerRepository } from './db/ledger.repository';
import { ReservationsRepository } from './db/reservations.repository';
import { TurnCostsRepository } from './db/turn-costs.repository';
import { UsageRepository } from './db/usage.repository';
import { UsageSumsRepository } from './db/usage-sums.repository';
import { EmbeddingsController } from './embeddings/embeddings.controller';
import { EmbeddingsService } from './embeddings/embeddings.service';
import { CallAdmission } from './metering/call-admission';
import { ModelCalls } from './metering/model-calls';
import { KeyAccounts } from './metering/key-accounts';
import { Meter } from './metering/meter';
import { SettingsController } from './metering/settings.controller';
import { SpaceCaps } from './metering/space-caps';
import { Sweeper } from './metering/sweeper';
import { Tokenizer } from './tokenizer/tokenizer';
import { MeteredProxy } from './proxy/metered-proxy';
import { PassThrough } from './proxy/pass-through';
import { ProxyEndpoint } from './proxy/proxy-endpoint';
import { ProxyService } from './proxy/proxy.service';
import { RelayConfig } from './relay.config';
import { Pools } from './upstream/pools';
import { StreamReads } from './upstream/stream-reads';
import { ReservedUpstream } from './upstream/reserved-upstream';
import { UpstreamClient } from './upstream/upstream-client';
import { TotalsReporter } from './usage/totals-reporter';
import { UsageController } from './usage/usage.controller';
import { UsageService } from './usage/usage.service';
import { UsageSummer } from './usage/usage-summer';

@Module({
  imports: [ServiceModule.forService({ name: 'relay', config: RelayConfig, database: true })],
  controllers: [
    ModelsController,
    CompletionsController,
    EmbeddingsController,
    UsageController,
    SettingsController,
    TurnCostsController,
    KeyLimitsController,
  ],
  providers: [
    TurnCostsService,
    CatalogueStore,
    SimulatorWatch,
    ModelsService,
    Tokenizer,
    Pools,
    StreamReads,
    UpstreamClient,
    ReservedUpstream,
    AccountsRepository,
    LedgerBatchRepository,
    KeyAccountsRepository,
    { provide: KeyLimitsCache, useFactory: (bus: Bus) => new KeyLimitsCache(bus), inject: [Bus] },
    contentCapture,
    KeyAccounts,
    ReservationsRepository,
    LedgerRepository,
    TurnCostsRepository,
    UsageRepository,
    UsageSumsRepository,
    SpaceCaps,
    Meter,
    CallAdmission,
    ModelCalls,
    Sweeper,
    CompletionsService,
    EmbeddingsService,
    MeteredProxy,
    PassThrough,
    ProxyService,
    ProxyEndpoint,
    UsageService,
    TotalsReporter,
    UsageSummer,
  ],
})
export class RelayModule {}
