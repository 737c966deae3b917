import { McpServers } from '../../src/adapters/mcp/mcp-servers';
import { makeEverythingServer } from './everything-server';

// The gateway as it is, door, gate and transport, but for what its MCP server offers.
McpServers.prototype.make = makeEverythingServer;

void import('../../src/main.js');
