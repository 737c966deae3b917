import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { McpEntrance } from './mcp-entrance';

const load = createRequire(__filename);

/**
 * Loads the MCP SDK with the first message of a client: it takes 20 MB, for which many gateways have no use. Its parts
 * take a tenth of a second together, once in the life of the process, so others have their turn between them.
 */
@Injectable()
export class McpEntrances {
  private entrance: Promise<McpEntrance> | undefined;

  constructor(private readonly modules: ModuleRef) {}

  get(): Promise<McpEntrance> {
    this.entrance ??= this.load().catch((error: unknown) => {
      this.entrance = undefined;
      throw error;
    });
    return this.entrance;
  }

  private async load(): Promise<McpEntrance> {
    for (const part of ['@modelcontextprotocol/server', './mcp-server']) {
      load(part);
      await setImmediate();
    }
    const { McpEntrance: Entrance } = load('./mcp-entrance') as typeof import('./mcp-entrance');
    return this.modules.create(Entrance);
  }
}
