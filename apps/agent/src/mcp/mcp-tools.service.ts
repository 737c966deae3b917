import { Injectable } from '@nestjs/common';
import type { McpToolsView } from '@switchyard/contracts';
import type { AgentRecord } from '../domain/agent-record';
import type { Tool } from '../tools/tool';

@Injectable()
export class McpToolsService {
  list(_agent: AgentRecord): Promise<McpToolsView> {
    return Promise.resolve({ tools: [], unavailable: [] });
  }

  toolsOf(_agent: AgentRecord): Promise<Tool[]> {
    return Promise.resolve([]);
  }
}
