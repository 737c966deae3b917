import { Module } from '@nestjs/common';
import { McpMetadataController } from './mcp-metadata.controller';
import { McpController } from './mcp.controller';

@Module({ controllers: [McpController, McpMetadataController] })
export class McpModule {}
