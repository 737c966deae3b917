import { Injectable } from '@nestjs/common';
import { isId, type JsonObject } from '@switchyard/kernel';
import {
  type BuiltinTool,
  checkPayloadSize,
  type Ctx,
  EventBusCalls,
  isAction,
  roleAtLeast,
  roleOfTool,
  TaskCalls,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ContentCapture } from '@switchyard/service';
import { AgentConfig } from '../agent.config';
import type { AgentRecord } from '../domain/stored-agent';
import type { TurnInput } from '../domain/turn-input';
import { McpToolsService } from '../mcp/mcp-tools.service';
import { BUILTIN_DEFINITIONS } from './builtin-definitions';
import { queryDataset, searchDatasets, writeDataset } from './dataset-tools';
import { LocalToolCalls } from './local-tool-calls';
import { MemoryStore } from './memory-store';
import { callAsTool, onceCtx, type Tool, ToolError, type ToolRun } from '../toolkit/tool';
import { Toolset } from './toolset';
import { WebSearch } from '../toolkit/web-search';

/** Puts the tools of one turn together: the agent's own, its MCP servers', its host's. */
@Injectable()
export class ToolsetBuilder {
  constructor(
    private readonly bus: Bus,
    private readonly web: WebSearch,
    private readonly memoryStore: MemoryStore,
    private readonly local: LocalToolCalls,
    private readonly mcp: McpToolsService,
    private readonly config: AgentConfig,
    private readonly capture: ContentCapture,
  ) {}

  async forTurn(ctx: Ctx, agent: AgentRecord, input: TurnInput): Promise<Toolset> {
    const tools = [
      ...builtinNames(agent, input).map((name) => this.builtin(name)),
      ...(agent.mcpServers.length > 0 ? await this.mcp.toolsOf(ctx, agent) : []),
      ...[...agent.localTools, ...(input.localTools ?? [])].map((tool): Tool => ({
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
      capture: this.capture,
    });
  }

  private builtin(name: BuiltinTool): Tool {
    return {
      definition: BUILTIN_DEFINITIONS[name],
      source: 'builtin',
      action: isAction(name),
      isOnce: (args) =>
        name === 'run_task' || name === 'emit_event' || (name === 'write_dataset' && args['operation'] === 'insert'),
      run: (args, run) => this.run(name, args, run),
    };
  }

  private async run(name: BuiltinTool, args: JsonObject, run: ToolRun): Promise<unknown> {
    requireRole(run.ctx, name);
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
        return this.memoryStore.save(run, args['text']);
      case 'ask_user':
        throw new ToolError('NOT_AVAILABLE', 'Questions are asked by the turn itself.');
    }
  }

  private async runTask(args: JsonObject, run: ToolRun): Promise<unknown> {
    const { taskId, inputs } = args;
    if (!isId(taskId)) throw new ToolError('INVALID_ARGUMENTS', 'taskId must be a UUID.');
    const execution = await callAsTool(this.bus, TaskCalls.execute, onceCtx(run, args), {
      taskId,
      ...(inputs === undefined ? {} : { inputs: inputs as JsonObject }),
    });
    return { executionId: execution.id, taskId: execution.taskId, status: execution.status };
  }

  private async emitEvent(args: JsonObject, run: ToolRun): Promise<unknown> {
    const payload = (args['payload'] ?? {}) as JsonObject;
    checkPayloadSize(payload, this.config.EVENT_PAYLOAD_MAX_BYTES);
    return callAsTool(this.bus, EventBusCalls.emitFromRun, run.ctx, {
      appIdentifier: textArgument(args, 'appIdentifier'),
      event: textArgument(args, 'event'),
      payload,
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

/**
 * Which scopes a tool needs was asked of the caller who saved the agent; calling it needs none of them. The role is the
 * caller's own: a VIEWER changes nothing, through an agent as little as by hand.
 */
function requireRole(ctx: Ctx, name: BuiltinTool): void {
  const role = roleOfTool(name);
  if (role === null || roleAtLeast(ctx.role, role)) return;
  throw new ToolError('FORBIDDEN', `The caller of this agent may not use ${name}: it needs the role ${role}.`);
}

function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== 'string' || value === '') throw new ToolError('INVALID_ARGUMENTS', `${name} must be a string.`);
  return value;
}
