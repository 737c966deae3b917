import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { ToolsNeeded } from './register-tools';

type Era = McpRequestContext['era'];

/** The SDK's JSON of an empty tool list. It cannot occur inside a JSON string, where quotes are escaped. */
const EMPTY = '"tools":[]';
const FILLED = '"tools":[{';

/**
 * The tools as text. All callers see the same ones, who may use them is decided when one is called; and writing
 * their 90 kB takes the SDK milliseconds. So it writes them once for each era of the protocol. From then on it answers
 * with an empty list, and the text takes its place: everything else of the answer is the SDK's own.
 */
export class ToolListCache {
  private readonly written = new Map<Era, Buffer>();

  needed(era: Era): ToolsNeeded {
    return this.written.has(era) ? 'none' : 'all';
  }

  /** The answer to `tools/list` with all tools in it. Other responses, such as errors, are unchanged. */
  async complete(era: Era, response: Response): Promise<Response> {
    const text = await response.text();
    const { status, headers } = response;
    const at = text.indexOf(EMPTY);
    const written = this.written.get(era);
    if (at === -1 || !written) {
      if (text.includes(FILLED)) this.keep(era, text);
      return new Response(text, { status, headers });
    }
    const [before, after] = [text.slice(0, at), text.slice(at + EMPTY.length)];
    return new Response(Buffer.concat([Buffer.from(before), written, Buffer.from(after)]), { status, headers });
  }

  /** The answer is one line of JSON, by itself or as an event of a stream. */
  private keep(era: Era, text: string): void {
    const line = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
    const { result } = JSON.parse(line) as { result?: { tools?: unknown[] } };
    if (result?.tools) this.written.set(era, Buffer.from(`"tools":${JSON.stringify(result.tools)}`));
  }
}
