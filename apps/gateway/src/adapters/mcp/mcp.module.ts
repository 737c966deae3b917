import { Module } from '@nestjs/common';
import { PendingElicitations } from './pending-elicitations';
import { McpAnswersController } from './elicitation-signals.controller';
import { LazyMcpHandler } from './lazy-mcp-handler';
import { McpMetadataController } from './mcp-metadata.controller';
import { McpServerFactory } from './mcp-server-factory';
import { McpController } from './mcp.controller';

@Module({
  controllers: [McpController, McpMetadataController, McpAnswersController],
  providers: [LazyMcpHandler, McpServerFactory, PendingElicitations],
})
export class McpModule {}
