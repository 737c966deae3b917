import { Injectable } from '@nestjs/common';
import { isId, type JsonObject } from '@switchyard/kernel';
import {
  type BuiltinTool,
  type Ctx,
  EventBusCalls,
  hasScope,
  roleAtLeast,
  type Scope,
  TaskCalls,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { AgentConfig } from '../agent.config';
import type { AgentRecord } from '../domain/agent-record';
import type { TurnInput } from '../domain/turn-input';
import { McpToolsService } from '../mcp/mcp-tools.service';
import { BUILTIN_DEFINITIONS } from './builtin-definitions';
import { queryDataset, searchDatasets, writeDataset } from './dataset-tools';
import { LocalCalls } from './local-calls';
import { Memories } from './memories';
import { type Tool, ToolError, type ToolRun } from './tool';
import { Toolset } from './toolset';
import { WebSearch } from './web-search';

/** Tools that change what the Space shares, and the scope that the caller would need to do the same by hand. */
const ACTIONS: Readonly<Partial<Record<BuiltinTool, Scope>>> = {
  write_dataset: 'datasets:write',
  run_task: 'tasks:execute',
  emit_event: 'events:emit',
};

/** Puts the tools of one turn together: the agent's own, its MCP servers', its host's. */
@Injectable()
export class Toolbox {
  constructor(
    private readonly bus: Bus,
    private readonly web: WebSearch,
    private readonly memories: Memories,
    private readonly local: LocalCalls,
    private readonly mcp: McpToolsService,
    private readonly config: AgentConfig,
  ) {}

  async forTurn(ctx: Ctx, agent: AgentRecord, input: TurnInput): Promise<Toolset> {
    const tools = [
      ...builtinNames(agent, input).map((name) => this.builtin(name)),
      ...(agent.mcpServers.length > 0 ? await this.mcp.toolsOf(ctx, agent) : []),
      ...agent.localTools.map((tool): Tool => ({
        definition: { name: tool.name, description: tool.description, parameters: tool.parameters },
        source: 'local',
        action: true,
        patient: true,
        run: (_, run) => this.local.run(tool.name, run),
      })),
    ];
    return new Toolset(tools, {
      timeoutMs: this.config.TOOL_TIMEOUT_MS,
      outputMaxBytes: this.config.TOOL_OUTPUT_MAX_BYTES,
    });
  }

  private builtin(name: BuiltinTool): Tool {
    return {
      definition: BUILTIN_DEFINITIONS[name],
      source: 'builtin',
      action: ACTIONS[name] !== undefined,
      run: (args, run) => this.run(name, args, run),
    };
  }

  private async run(name: BuiltinTool, args: JsonObject, run: ToolRun): Promise<unknown> {
    requireRights(run.ctx, name);
    switch (name) {
      case 'search_datasets':
        return searchDatasets(this.bus, args, run);
      case 'query_dataset':
        return queryDataset(this.bus, args, run);
      case 'write_dataset':
        return writeDataset(this.bus, args, run);
      case 'run_task':
        return this.runTask(args, run);
      case 'emit_event':
        return this.emitEvent(args, run);
      case 'web_search':
        return this.web.search(textArgument(args, 'query'), run.signal);
      case 'save_memory':
        return this.memories.save(run.ctx, run.agentId, args['text']);
      case 'ask_user':
        throw new ToolError('NOT_AVAILABLE', 'Questions are asked by the turn itself.');
    }
  }

  private async runTask(args: JsonObject, run: ToolRun): Promise<unknown> {
    const { taskId, inputs } = args;
    if (!isId(taskId)) throw new ToolError('INVALID_ARGUMENTS', 'taskId must be a UUID.');
    const execution = await this.bus.call(TaskCalls.execute, run.ctx, {
      taskId,
      ...(inputs === undefined ? {} : { inputs: inputs as JsonObject }),
    });
    return { executionId: execution.id, taskId: execution.taskId, status: execution.status };
  }

  private emitEvent(args: JsonObject, run: ToolRun): Promise<unknown> {
    return this.bus.call(EventBusCalls.emitFromRun, run.ctx, {
      appIdentifier: textArgument(args, 'appIdentifier'),
      event: textArgument(args, 'event'),
      payload: (args['payload'] ?? {}) as JsonObject,
      // The call's own name: an interrupted turn cannot emit it twice.
      idempotencyKey: `${run.turnKey}:${run.callId}`.slice(0, 255),
    });
  }
}

function builtinNames(agent: AgentRecord, input: TurnInput): BuiltinTool[] {
  const names = new Set<BuiltinTool>(agent.tools);
  if (input.webSearch) names.add('web_search');
  else names.delete('web_search');
  if (input.memory) names.add('save_memory');
  return [...names];
}

/** An agent acts for its caller, and so never with more rights than the caller has. */
function requireRights(ctx: Ctx, name: BuiltinTool): void {
  const scope = ACTIONS[name];
  if (scope === undefined || (roleAtLeast(ctx.role, 'MEMBER') && hasScope(ctx.scopes, scope))) return;
  throw new ToolError(
    'FORBIDDEN',
    `The caller of this agent may not use ${name}: it needs the role MEMBER and the scope ${scope}.`,
  );
}

function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== 'string' || value === '') throw new ToolError('INVALID_ARGUMENTS', `${name} must be a text.`);
  return value;
}
