import type { CompleteRequest, ModelMessage } from '@switchyard/contracts';

function messageOf(message: ModelMessage): Record<string, unknown> {
  const wire: Record<string, unknown> = { role: message.role, content: message.content };
  if (message.name !== undefined) wire['name'] = message.name;
  if (message.toolCallId !== undefined) wire['tool_call_id'] = message.toolCallId;
  if (message.toolCalls && message.toolCalls.length > 0) {
    wire['tool_calls'] = message.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
  }
  return wire;
}

/** Our request in OpenAI's spelling. Missing fields are left out, so that the upstream's defaults apply. */
export function completionBody(request: CompleteRequest, upstream: { model: string; streamUsage: boolean }): string {
  const { settings = {} } = request;
  return JSON.stringify({
    model: upstream.model,
    messages: request.messages.map(messageOf),
    tools: request.tools?.length
      ? request.tools.map((tool) => ({
          type: 'function',
          function: {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters ?? { type: 'object', properties: {} },
          },
        }))
      : undefined,
    tool_choice: request.tools?.length ? request.toolChoice : undefined,
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    top_p: settings.topP,
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
    stop: settings.stop?.length ? settings.stop : undefined,
    response_format: request.responseFormat,
    stream: true,
    stream_options: upstream.streamUsage ? { include_usage: true } : undefined,
  });
}
