import OpenAI from 'openai';
import type { ForeignChat, Listening, ChatTarget, ChatOutput } from './foreign-chats';

/** OpenAI's own client over chat completions, whose chunks are added up. */
export class OpenAiChat implements Pick<ForeignChat, 'stream'> {
  private readonly openai: OpenAI;

  constructor(private readonly target: ChatTarget) {
    const { baseURL, apiKey, fetch } = target;
    this.openai = new OpenAI({ baseURL, apiKey, fetch, maxRetries: 0 });
  }

  async stream(words: string, { signal, onText }: Listening = {}): Promise<ChatOutput> {
    const messages = [{ role: 'user' as const, content: words }];
    const request = { model: this.target.agentId, messages, stream: true as const };
    let text = '';
    for await (const { choices } of await this.openai.chat.completions.create(request, { signal })) {
      text += choices[0]?.delta.content ?? '';
      onText?.(text);
    }
    return { text, tokens: 0 };
  }
}
