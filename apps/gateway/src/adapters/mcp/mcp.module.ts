import { Module } from '@nestjs/common';
import { HeldExchanges } from './held-exchanges';
import { McpAnswersController } from './mcp-answers.controller';
import { McpEntrances } from './mcp-entrances';
import { McpMetadataController } from './mcp-metadata.controller';
import { McpServers } from './mcp-servers';
import { McpController } from './mcp.controller';

@Module({
  controllers: [McpController, McpMetadataController, McpAnswersController],
  providers: [McpEntrances, McpServers, HeldExchanges],
})
export class McpModule {}
