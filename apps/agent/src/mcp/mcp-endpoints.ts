import { Injectable } from '@nestjs/common';
import { type Ctx, type McpServerView, SecretCalls, actAs, requireSpace } from '@switchyard/contracts';
import { AppError, SecretMask, checkSecretCount, checkSecretValues, secretNamesInJson } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { isHostAllowed } from '@switchyard/service';
import { McpHeaderEncryption } from '../agents/mcp-header-encryption';
import type { AgentRecord } from '../domain/stored-agent';
import { headersWithSecrets } from '../domain/headers-with-secrets';
import type { McpEndpoint } from './mcp-connections';

export interface OpenedServer {
  endpoint: McpEndpoint;
  /** Masks secrets of the headers in replies of the server. */
  mask: SecretMask;
}

/** URL and headers of an agent's MCP server, with the current values of secrets. */
@Injectable()
export class McpEndpoints {
  constructor(
    private readonly vault: McpHeaderEncryption,
    private readonly bus: Bus,
  ) {}

  async open(ctx: Ctx, agent: AgentRecord, server: McpServerView): Promise<OpenedServer> {
    const headers = this.vault.headersOf(agent, server.name);
    const names = secretNamesInJson(Object.values(headers));
    const at = { spaceId: requireSpace(ctx), agentId: agent.id, url: server.url };
    if (names.length === 0) return { endpoint: { ...at, headers }, mask: new SecretMask([]) };
    checkSecretCount(names);
    // With a deadline of its own: the turn may have worked for long.
    const { secrets } = await this.bus.call(SecretCalls.open, actAs(ctx, {}), { names });
    const byName = new Map(secrets.map((secret) => [secret.name, secret]));
    for (const name of names) {
      const secret = byName.get(name);
      if (!secret) throw new AppError('SECRET_MISSING', `The Space has no secret called ${name} any more.`);
      if (!isHostAllowed(secret.hosts, server.url))
        throw new AppError(
          'SECRET_NOT_ALLOWED',
          `The secret ${name} may not be sent to ${new URL(server.url).host}. Nothing was sent.`,
        );
    }
    checkSecretValues(secrets.map(({ value }) => value));
    const filled = headersWithSecrets(headers, (name) => byName.get(name)?.value ?? '');
    return {
      endpoint: { ...at, headers: filled },
      mask: new SecretMask(secrets.map(({ value }) => value)),
    };
  }
}
