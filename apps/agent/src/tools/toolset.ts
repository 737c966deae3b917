import { AppError, rejectOnAbort, cleanJson, isPlainObject, jsonBytes, type JsonObject } from '@switchyard/kernel';
import type { ModelTool, ModelToolCall } from '@switchyard/contracts';
import type { ContentCapture } from '@switchyard/service';
import { limitToolOutput } from '../domain/limit-tool-output';
import type { ToolCall, ToolOutcome } from '../domain/turn-state';
import { type Tool, ToolError, type ToolRun } from '../toolkit/tool';
import { spannedTool } from './tool-span';

export interface ToolLimits {
  timeoutMs: number;
  outputMaxBytes: number;
  /** Ends the spans of runs, with arguments and results where they may hold them. */
  capture: ContentCapture;
}

const stopped = (): Error => new ToolError('ABORTED', 'The tool was stopped.');

/** The tools of one turn, by the names under which the model knows them. */
export class Toolset {
  private readonly tools: ReadonlyMap<string, Tool>;
  readonly definitions: ModelTool[];
  private measured: number | undefined;

  constructor(
    tools: readonly Tool[],
    private readonly limits: ToolLimits,
  ) {
    this.tools = new Map(tools.map((tool) => [tool.definition.name, tool]));
    this.definitions = [...this.tools.values()].map(({ definition }) => definition);
  }

  /** How many bytes of JSON the definitions have. Measured once: hundreds of tools are megabytes of schemas. */
  get definitionBytes(): number {
    this.measured ??= jsonBytes(this.definitions);
    return this.measured;
  }

  /** Reads a model's calls: parses arguments, makes ids unique, and marks calls that cannot run. */
  read(calls: readonly ModelToolCall[], used: ReadonlySet<string>): ToolCall[] {
    const taken = new Set(used);
    return calls.map((call) => {
      const id = freeId(call.id, taken);
      taken.add(id);
      const tool = this.tools.get(call.name);
      const args = parseArguments(call.arguments);
      const base = { id, name: call.name, source: tool?.source ?? ('builtin' as const), action: tool?.action ?? false };
      if (!tool)
        return {
          ...base,
          arguments: args ?? {},
          refusal: { code: 'TOOL_NOT_FOUND', message: `There is no tool called ${call.name}.` },
        };
      if (!args)
        return {
          ...base,
          arguments: {},
          refusal: { code: 'INVALID_ARGUMENTS', message: 'The arguments must be one JSON object.' },
        };
      return { ...base, arguments: args, ...(tool.isOnce?.(args) ? { once: true } : {}) };
    });
  }

  definitionHashOf(name: string): string | undefined {
    return this.tools.get(name)?.definitionHash;
  }

  /** Runs one call. Never throws: a failure is an outcome that the model gets to see. */
  run(call: ToolCall, run: ToolRun): Promise<ToolOutcome> {
    return spannedTool(this.limits.capture, call, run, (spanned) => this.running(call, spanned));
  }

  private async running(call: ToolCall, run: ToolRun): Promise<ToolOutcome> {
    const tool = this.tools.get(call.name);
    if (!tool) return { status: 'failed', code: 'TOOL_NOT_FOUND', message: `There is no tool called ${call.name}.` };
    const timeout = tool.patient ? null : AbortSignal.timeout(this.limits.timeoutMs);
    const signal = timeout ? AbortSignal.any([run.signal, timeout]) : run.signal;
    try {
      const output = await rejectOnAbort(signal, tool.run(call.arguments as JsonObject, { ...run, signal }), stopped);
      return { status: 'succeeded', output: limitToolOutput(output, this.limits.outputMaxBytes) };
    } catch (error) {
      if (timeout?.aborted && !run.signal.aborted) {
        return {
          status: 'failed',
          code: 'TOOL_TIMEOUT',
          message: `The tool did not answer within ${this.limits.timeoutMs / 1000} s.`,
        };
      }
      return failureOf(error);
    }
  }
}

function failureOf(error: unknown): ToolOutcome {
  if (error instanceof ToolError || error instanceof AppError) {
    return { status: 'failed', code: error.code, message: String(limitToolOutput(error.message, 2000)) };
  }
  return { status: 'failed', code: 'TOOL_FAILED', message: 'The tool failed.' };
}

function parseArguments(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value = cleanJson(JSON.parse(text));
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) free = `${id.slice(0, 190)}-${n}`;
  return free;
}
