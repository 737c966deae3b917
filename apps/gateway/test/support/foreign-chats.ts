import { createOpenAI } from '@ai-sdk/openai';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { generateText, jsonSchema, type ModelMessage, streamText, tool as aiTool } from 'ai';
import OpenAI from 'openai';

/** One conversation of somebody else's client with an agent, in the words that all of them have. */
export interface ForeignChat {
  /** Says it, and answers each call that comes of it, until nothing more is asked. */
  converse(words: string, reply?: ToolReply): Promise<ChatOutput>;
  /** Says it, and hears the answer piece by piece. */
  stream(words: string, listening?: Listening): Promise<ChatOutput>;
}
export interface Listening {
  signal?: AbortSignal;
  /** Gets what was told so far, with each piece. */
  onText?: (text: string) => void;
}
export interface ChatOutput {
  text: string;
  tokens: number;
}
export type ToolReply = (call: { name: string; arguments: unknown }) => string;

export interface ChatTarget {
  baseURL: string;
  apiKey: string;
  agentId: string;
  /** Every client takes one: its answers tell which turn they are of. */
  fetch: typeof fetch;
}

export const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;
const NAME = 'get_weather';
const noReply: ToolReply = ({ name }) => {
  throw new Error(`no reply is defined for ${name}`);
};

class AiSdkChat implements ForeignChat {
  private readonly messages: ModelMessage[] = [];

  constructor(
    private readonly target: ChatTarget,
    private readonly via: 'responses' | 'chat',
  ) {}

  async converse(words: string, reply = noReply): Promise<ChatOutput> {
    this.messages.push({ role: 'user', content: words });
    const text = { text: '', tokens: 0 };
    for (;;) {
      const result = await generateText(this.asking());
      text.text += result.text;
      text.tokens += result.usage.totalTokens ?? 0;
      // A client's own message for an unknown tool is not a tool result.
      this.messages.push(...result.response.messages.filter(({ role }) => role === 'assistant'));
      if (result.toolCalls.length === 0) return text;
      for (const { toolCallId, toolName, input } of result.toolCalls) {
        const output = { type: 'text' as const, value: reply({ name: toolName, arguments: input }) };
        this.messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
      }
    }
  }

  async stream(words: string, { signal, onText }: Listening = {}): Promise<ChatOutput> {
    this.messages.push({ role: 'user', content: words });
    let failure: unknown;
    const onError = ({ error }: { error: unknown }): void => {
      failure = error;
    };
    const result = streamText({ ...this.asking(), abortSignal: signal, onError });
    let text = '';
    for await (const delta of result.textStream) {
      text += delta;
      onText?.(text);
    }
    if (failure !== undefined) throw failure as Error;
    if (signal?.aborted) return { text, tokens: 0 };
    this.messages.push(...(await result.response).messages);
    return { text, tokens: (await result.usage).totalTokens ?? 0 };
  }

  private asking() {
    const { baseURL, apiKey, agentId, fetch } = this.target;
    const weather = aiTool({
      description: 'The weather.',
      inputSchema: jsonSchema<{ city: string }>(PARAMETERS as object),
    });
    return {
      model: createOpenAI({ baseURL, apiKey, fetch })[this.via](agentId),
      messages: this.messages,
      tools: { [NAME]: weather },
      maxRetries: 0,
    };
  }
}

class AgentsSdkChat implements ForeignChat {
  private previousResponseId: string | undefined;
  private readonly runner: Runner;

  constructor(private readonly target: ChatTarget) {
    const { baseURL, apiKey, fetch } = target;
    const openAIClient = new OpenAI({ baseURL, apiKey, fetch, maxRetries: 0 });
    this.runner = new Runner({
      modelProvider: new OpenAIProvider({ openAIClient, useResponses: true }),
      tracingDisabled: true,
    });
  }

  async converse(words: string, reply = noReply): Promise<ChatOutput> {
    const result = await this.runner.run(this.agent(reply), words, {
      ...this.where(),
      // A question is a call of a tool that no agent of the SDK has: what it says of it is the answer.
      toolNotFoundBehavior: 'return_error_to_model',
      toolErrorFormatter: ({ toolName }) => reply({ name: toolName, arguments: null }),
    });
    this.previousResponseId = result.lastResponseId;
    const texts = result.newItems.flatMap((item) => (item.type === 'message_output_item' ? [item.content] : []));
    return { text: texts.join(''), tokens: result.state.usage.totalTokens };
  }

  async stream(words: string, { signal, onText }: Listening = {}): Promise<ChatOutput> {
    const result = await this.runner.run(this.agent(noReply), words, { ...this.where(), stream: true, signal });
    let text = '';
    for await (const piece of result.toTextStream()) {
      text += piece;
      onText?.(text);
    }
    await result.completed;
    this.previousResponseId = result.lastResponseId;
    return { text, tokens: result.state.usage.totalTokens };
  }

  private where(): { previousResponseId?: string } {
    return this.previousResponseId === undefined ? {} : { previousResponseId: this.previousResponseId };
  }

  private agent(reply: ToolReply): Agent {
    const weather = tool({
      name: NAME,
      description: 'The weather.',
      parameters: { ...PARAMETERS, required: ['city'] } as never,
      strict: false,
      execute: (args) => reply({ name: NAME, arguments: args }),
    });
    return new Agent({ name: 'worker', model: this.target.agentId, tools: [weather] });
  }
}

class LangChainChat implements ForeignChat {
  private readonly messages: BaseMessage[] = [];
  private readonly model: ChatOpenAI;

  constructor({ baseURL, apiKey, agentId, fetch }: ChatTarget, useResponsesApi: boolean) {
    this.model = new ChatOpenAI({
      model: agentId,
      apiKey,
      configuration: { baseURL, fetch },
      useResponsesApi,
      maxRetries: 0,
    });
  }

  async converse(words: string, reply = noReply): Promise<ChatOutput> {
    this.messages.push(new HumanMessage(words));
    const output = { text: '', tokens: 0 };
    for (;;) {
      const message = await this.bound().invoke(this.messages);
      output.text += message.text;
      output.tokens += message.usage_metadata?.total_tokens ?? 0;
      this.messages.push(message);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) return output;
      for (const { id = '', name, args } of calls)
        this.messages.push(new ToolMessage({ tool_call_id: id, content: reply({ name, arguments: args }) }));
    }
  }

  async stream(words: string, { signal, onText }: Listening = {}): Promise<ChatOutput> {
    this.messages.push(new HumanMessage(words));
    let text = '';
    let tokens = 0;
    for await (const chunk of await this.bound().stream(this.messages, { ...(signal ? { signal } : {}) })) {
      text += chunk.text;
      onText?.(text);
      tokens += chunk.usage_metadata?.total_tokens ?? 0;
    }
    this.messages.push(new AIMessage(text));
    return { text, tokens };
  }

  private bound() {
    return this.model.bindTools([{ type: 'function', function: { name: NAME, parameters: PARAMETERS } }]);
  }
}

export const FOREIGN_CHATS: Record<string, (target: ChatTarget) => ForeignChat> = {
  'the AI SDK over Responses': (target) => new AiSdkChat(target, 'responses'),
  'the AI SDK over chat completions': (target) => new AiSdkChat(target, 'chat'),
  'the Agents SDK': (target) => new AgentsSdkChat(target),
  'LangChain over Responses': (target) => new LangChainChat(target, true),
  'LangChain over chat completions': (target) => new LangChainChat(target, false),
};
