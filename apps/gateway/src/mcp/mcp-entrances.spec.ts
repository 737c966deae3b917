import { McpEntrances } from './mcp-entrances';
import { McpModule } from './mcp.module';

// Whatever loads the SDK fails with this error.
jest.mock('@modelcontextprotocol/server', () => {
  throw new Error('the MCP SDK is loaded');
});

test('the MCP SDK is not loaded with the gateway, but by the first message', () => {
  expect(McpModule).toBeDefined();
  const entrances = new (McpEntrances as unknown as new () => { get(): unknown })();
  expect(() => entrances.get()).toThrow('the MCP SDK is loaded');
});
