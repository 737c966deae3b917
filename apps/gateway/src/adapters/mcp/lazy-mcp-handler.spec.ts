import type { ModuleRef } from '@nestjs/core';
import { LazyMcpHandler } from './lazy-mcp-handler';
import { McpModule } from './mcp.module';

// Loading the SDK fails with this error.
jest.mock('@modelcontextprotocol/server', () => {
  throw new Error('the MCP SDK is loaded');
});

test('the first message loads the MCP SDK, and the next one retries if that failed', async () => {
  expect(McpModule).toBeDefined();
  const handlers = new LazyMcpHandler({} as ModuleRef);
  await expect(handlers.get()).rejects.toThrow('the MCP SDK is loaded');
  await expect(handlers.get()).rejects.toThrow('the MCP SDK is loaded');
});
