import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Retention } from '@switchyard/service';
import { AgentConfig } from '../agent.config';
import { AgentsRepository } from '../db/agents.repository';

/** How long the versions of a deleted agent are kept. */
@Injectable()
export class VersionRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly agents: AgentsRepository,
    private readonly config: AgentConfig,
  ) {}

  onModuleInit(): void {
    const days = this.config.AGENT_DELETED_RETENTION_DAYS;
    this.retention.register('versions of deleted agents', (tx, limit) =>
      this.agents.removeOldVersions(tx, days, limit),
    );
  }
}
