import { Injectable } from '@nestjs/common';
import type { Ctx, McpServerInput, McpServerView } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { keepsHeaders } from '../domain/mcp-server-view';
import type { AgentRecord } from '../domain/stored-agent';
import { headerEncryptionContext } from '../domain/header-encryption-context';
import { TextEncryption } from './text-encryption';

/** The headers of MCP servers: sealed under the agent and the server that they are for. */
@Injectable()
export class McpHeaderEncryption {
  constructor(private readonly box: TextEncryption) {}

  keyedFingerprint(ctx: Ctx): Ctx {
    return this.box.keyedFingerprint(ctx);
  }

  seal(
    agentId: string,
    servers: readonly McpServerInput[],
    sealed: Readonly<Record<string, string>>,
    before: readonly McpServerView[],
  ): Record<string, string> {
    const next: Record<string, string> = {};
    for (const server of servers) {
      const stored = Object.hasOwn(sealed, server.name) ? sealed[server.name] : undefined;
      if (server.headers && Object.keys(server.headers).length > 0) {
        next[server.name] = this.box.seal(
          JSON.stringify(server.headers),
          headerEncryptionContext(agentId, server.name),
        );
      } else if (
        stored !== undefined &&
        keepsHeaders(
          server,
          before.find(({ name }) => name === server.name),
        )
      ) {
        next[server.name] = stored;
      }
    }
    return next;
  }

  /** The servers as they were saved, with their headers. */
  open(
    agentId: string,
    servers: readonly McpServerView[],
    secrets: Readonly<Record<string, string>>,
  ): McpServerInput[] {
    return servers.map(({ name, url, allowedTools }) => ({
      name,
      url,
      headers: this.headersOf({ id: agentId, secrets }, name),
      ...(allowedTools ? { allowedTools } : {}),
    }));
  }

  /** Refuses headers that cannot be decrypted, such as after the loss of a key. */
  headersOf(agent: Pick<AgentRecord, 'id' | 'secrets'>, server: string): Record<string, string> {
    const sealed = Object.hasOwn(agent.secrets, server) ? agent.secrets[server] : undefined;
    if (sealed === undefined) return {};
    try {
      return JSON.parse(this.box.open(sealed, headerEncryptionContext(agent.id, server))) as Record<string, string>;
    } catch (error) {
      throw new AppError(
        'SECRET_UNREADABLE',
        `The headers of the MCP server ${server} cannot be decrypted. Save all of them again, with their values.`,
        { cause: error },
      );
    }
  }
}
