import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ServiceModule } from '@switchyard/service';
import { ActivityModule } from './routes/activity/activity.module';
import { AgUiModule } from './adapters/ag-ui/ag-ui.module';
import { AgentsModule } from './routes/agents/agents.module';
import { AccessModule } from './access.module';
import { AuthGuard } from './auth/auth.guard';
import { ConsoleModule } from './console/console.module';
import { DatasetsModule } from './routes/datasets/datasets.module';
import { ContractPipe } from './routing/contract.pipe';
import { EventsModule } from './routes/events/events.module';
import { GatewayConfig } from './gateway.config';
import { HealthController } from './routes/health/health.controller';
import { ErrorFilter } from './server/error.filter';
import { IdentityModule } from './routes/identity/identity.module';
import { JobsModule } from './routes/jobs/jobs.module';
import { KeysModule } from './routes/keys/keys.module';
import { LangGraphModule } from './adapters/langgraph/langgraph.module';
import { McpModule } from './adapters/mcp/mcp.module';
import { OpenAiModule } from './adapters/openai/openai.module';
import { DocsController } from './openapi/docs.controller';
import { controllersOf } from './openapi/controllers-of';
import { OpenApiDocument } from './openapi/openapi-document';
import { OperatorTopController } from './routes/operator/operator-top.controller';
import { InterruptedCallStore, InterruptedCallsController } from './server/interrupted-call-store';
import { NatsApiModule } from './nats-api/nats-api.module';
import { RelayModule } from './relay/relay.module';
import { SecretsModule } from './routes/secrets/secrets.module';
import { SessionsModule } from './routes/sessions/sessions.module';
import { TasksModule } from './routes/tasks/tasks.module';
import { TurnsModule } from './routes/turns/turns.module';
import { OperatorModule } from './routes/operator/operator.module';
import { UsageModule } from './routes/usage/usage.module';

const areas = [
  IdentityModule,
  KeysModule,
  SecretsModule,
  AgentsModule,
  SessionsModule,
  TurnsModule,
  JobsModule,
  TasksModule,
  DatasetsModule,
  EventsModule,
  OperatorModule,
  UsageModule,
  ActivityModule,
  RelayModule,
  OpenAiModule,
  AgUiModule,
  LangGraphModule,
  McpModule,
  ConsoleModule,
  NatsApiModule,
];

@Module({
  imports: [ServiceModule.forService({ name: 'gateway', config: GatewayConfig, redis: true }), AccessModule, ...areas],
  controllers: [HealthController, DocsController, OperatorTopController, InterruptedCallsController],
  providers: [
    InterruptedCallStore,
    { provide: OpenApiDocument, useFactory: () => new OpenApiDocument(controllersOf(GatewayModule)) },
    { provide: APP_GUARD, useExisting: AuthGuard },
    { provide: APP_PIPE, useClass: ContractPipe },
    { provide: APP_FILTER, useExisting: ErrorFilter },
  ],
})
export class GatewayModule {}
