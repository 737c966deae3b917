import { Injectable } from '@nestjs/common';
import { AppError, type ErrorCode, cleanJson, toAppError } from '@switchyard/kernel';
import type { CompleteRequest, CompletionSettings, ModelSettings } from '@switchyard/contracts';
import { SchemaCompiler } from '../../agents/schema-compiler';
import type { AgentRecord } from '../../domain/stored-agent';
import { modelMessages } from '../../domain/model-messages';
import { isRetryable } from '../../domain/turn-outcome';
import { schemaOf } from '../../domain/turn-input';
import type { Failure, TurnState } from '../../domain/turn-state';
import type { PromptParts, TurnSpec } from './turn-spec';

/** Errors that the user can act on are passed on; every other failure of a model call becomes a runtime error. */
const SHOWN = new Set([
  'REQUEST_TOO_LARGE',
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
]);

@Injectable()
export class ModelRequests {
  constructor(private readonly schemas: SchemaCompiler) {}

  /** All of a request that counts towards its size. */
  prompt(
    parts: PromptParts,
    state: TurnState,
  ): Pick<CompleteRequest, 'model' | 'fallbackModels' | 'messages' | 'tools'> {
    const { agent, input, tools, memories, context } = parts;
    const definitions = tools.definitions;
    return {
      messages: modelMessages({
        prompt: input.prompt,
        memories,
        context,
        contents: input.contents ?? [],
        history: input.history,
        instructions: input.instructions,
        evidence: state.evidence,
        steps: state.steps,
      }),
      ...modelsOf(agent),
      ...(definitions.length > 0 ? { tools: definitions } : {}),
    };
  }

  complete(spec: TurnSpec, state: TurnState, messageId: string): CompleteRequest {
    const { agent, input, facts } = spec;
    const schema = schemaOf(agent, input);
    return {
      ...this.prompt(spec, state),
      settings: completionSettings(input.settings),
      ...(facts.structured && schema
        ? { responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema } } }
        : {}),
      attribution: {
        source: input.source,
        agentId: facts.agentId,
        turnId: facts.turnId,
        ...(facts.sessionId === null ? {} : { sessionId: facts.sessionId }),
      },
      requestKey: `${spec.key}:${spec.epoch}:${state.step}:${messageId}`,
    };
  }

  /** Whether an answer is the JSON that the agent promises. */
  async checkAnswer(
    spec: TurnSpec,
    text: string,
  ): Promise<{ ok: true; output: unknown } | { ok: false; problem: string }> {
    const schema = schemaOf(spec.agent, spec.input);
    let output: unknown;
    try {
      output = cleanJson(JSON.parse(withoutFence(text)));
    } catch {
      return { ok: false, problem: 'it is not JSON' };
    }
    const problem = schema ? await this.schemas.problem(schema, output) : null;
    return problem === null ? { ok: true, output } : { ok: false, problem };
  }

  failureOf(error: unknown, spec: TurnSpec): Failure {
    const appError = toAppError(error);
    if (this.isShown(appError.code, spec))
      return {
        code: appError.code,
        message: appError.message,
        retryable: isRetryable(appError.code),
        ...retryAtOf(appError),
      };
    // The model itself has refused what it was asked: it would do so again.
    const isRefused = appError.code === 'VALIDATION_ERROR';
    const isShown = error instanceof AppError && (appError.code === 'RUNTIME_UNAVAILABLE' || isRefused);
    return {
      code: 'RUNTIME_UNAVAILABLE',
      message: isShown ? appError.message : 'The model could not be reached. Try again shortly.',
      retryable: !isRefused,
    };
  }

  private isShown(code: ErrorCode, { input: { source } }: TurnSpec): boolean {
    if (SHOWN.has(code) || code === 'NOT_FOUND') return true;
    // A job waits for as long as the upstream says instead of counting an attempt.
    if (code === 'RATE_LIMITED') return source === 'job';
    // Jobs and tasks retry by themselves: they must know that the model itself has refused.
    return code === 'VALIDATION_ERROR' && (source === 'job' || source === 'task');
  }
}

/** The model of a call, and those that may answer in its place. */
export const modelsOf = ({
  model,
  fallbackModels,
}: Pick<AgentRecord, 'model' | 'fallbackModels'>): Pick<CompleteRequest, 'model' | 'fallbackModels'> => ({
  model,
  ...(fallbackModels.length > 0 ? { fallbackModels } : {}),
});

const completionSettings = (settings: ModelSettings): CompletionSettings => ({
  ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
  ...(settings.max_tokens === undefined ? {} : { maxTokens: settings.max_tokens }),
  ...(settings.top_p === undefined ? {} : { topP: settings.top_p }),
  ...(settings.frequency_penalty === undefined ? {} : { frequencyPenalty: settings.frequency_penalty }),
  ...(settings.presence_penalty === undefined ? {} : { presencePenalty: settings.presence_penalty }),
});

/** Models like to put JSON into a code block. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```')) return trimmed;
  const lineEnd = trimmed.indexOf('\n');
  return lineEnd === -1 ? trimmed : trimmed.slice(lineEnd + 1, -3);
}

const retryAtOf = ({ retryAfterSeconds }: AppError): Pick<Failure, 'retryAt'> =>
  retryAfterSeconds === undefined ? {} : { retryAt: new Date(Date.now() + retryAfterSeconds * 1000).toISOString() };
