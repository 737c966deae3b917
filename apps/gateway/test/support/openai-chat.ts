import OpenAI from 'openai';
import type { ForeignChat, Listening, Place, Said } from './foreign-chats';

/** OpenAI's own client over chat completions, whose chunks are added up. */
export class OpenAiChat implements Pick<ForeignChat, 'stream'> {
  private readonly openai: OpenAI;

  constructor(private readonly place: Place) {
    const { baseURL, apiKey, fetch } = place;
    this.openai = new OpenAI({ baseURL, apiKey, fetch, maxRetries: 0 });
  }

  async stream(words: string, { signal, heard }: Listening = {}): Promise<Said> {
    const messages = [{ role: 'user' as const, content: words }];
    const asked = { model: this.place.agentId, messages, stream: true as const };
    let text = '';
    for await (const { choices } of await this.openai.chat.completions.create(asked, { signal })) {
      text += choices[0]?.delta.content ?? '';
      heard?.(text);
    }
    return { text, tokens: 0 };
  }
}
