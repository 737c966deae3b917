import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { McpHandler } from './mcp-handler';

const load = createRequire(__filename);

/**
 * Loads the MCP SDK with the first message of a client: it takes 20 MB, for which many gateways have no use. Its parts
 * take a tenth of a second together, once in the life of the process, so others have their turn between them.
 */
@Injectable()
export class LazyMcpHandler {
  private handler: Promise<McpHandler> | undefined;

  constructor(private readonly modules: ModuleRef) {}

  get(): Promise<McpHandler> {
    this.handler ??= this.load().catch((error: unknown) => {
      this.handler = undefined;
      throw error;
    });
    return this.handler;
  }

  private async load(): Promise<McpHandler> {
    for (const part of ['@modelcontextprotocol/server', './mcp-server']) {
      load(part);
      await setImmediate();
    }
    const { McpHandler: Handler } = load('./mcp-handler') as typeof import('./mcp-handler');
    return this.modules.create(Handler);
  }
}
