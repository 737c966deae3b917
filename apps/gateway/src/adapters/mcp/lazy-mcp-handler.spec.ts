import type { ModuleRef } from '@nestjs/core';
import { LazyMcpHandler } from './lazy-mcp-handler';
import { McpModule } from './mcp.module';

// Loading the SDK fails with this error.
jest.mock('@modelcontextprotocol/server', () => {
  throw new Error('the MCP SDK is loaded');
});

test('the MCP SDK is not loaded with the gateway, but by the first message, and tried again by the next', async () => {
  expect(McpModule).toBeDefined();
  const handlers = new LazyMcpHandler({} as ModuleRef);
  await expect(handlers.get()).rejects.toThrow('the MCP SDK is loaded');
  await expect(handlers.get()).rejects.toThrow('the MCP SDK is loaded');
});
