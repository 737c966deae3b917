import { McpServerFactory } from '../../src/adapters/mcp/mcp-server-factory';
import { makeEverythingServer } from './everything-server';

// The gateway as it is, door, gate and transport, but for what its MCP server offers.
McpServerFactory.prototype.make = makeEverythingServer;

void import('../../src/main.js');
