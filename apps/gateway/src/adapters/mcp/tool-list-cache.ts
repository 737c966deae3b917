import { randomUUID } from 'node:crypto';
import type { McpRequestContext } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { ApiRequest } from '../../http/api-request';
import { isLarge } from '../../http/body/request-body';
import { isRequest, type McpRequest } from './message-validation';
import type { ToolsNeeded } from './register-tools';

export type Era = McpRequestContext['era'];

/** The SDK's JSON of an empty tool list. It cannot occur inside a JSON string, where quotes are escaped. */
const EMPTY = '"tools":[]';
const FILLED = '"tools":[{';
/** Stands for the id of a request in an answer that is kept. */
const ANY_ID = randomUUID();
const MAX_FORMS = 500;
const MAX_FORM_CHARACTERS = 2_000;

/** A request for the tools: all requests of one form have the same answer, but for their id. */
export interface ListRequest {
  id: string | number;
  form: string;
}

type ListMessage = Pick<ApiRequest, 'method' | 'headers' | 'body'>;

/** An answer whose tools and id are put in when it is sent. */
interface ReadyAnswer {
  headers: Record<string, string>;
  beforeId: Buffer[];
  afterId: Buffer[];
}

export const isList = (body: unknown): body is McpRequest => isRequest(body) && body.method === 'tools/list';

/** The headers that the SDK reads. It has no sessions here, so it ignores a session id. */
const isRead = (name: string): boolean =>
  name === 'accept' || name === 'content-type' || (name.startsWith('mcp-') && name !== 'mcp-session-id');

/** Of these each request has another value, so that its form would not come again. */
const CHANGING = ['progressToken', 'traceparent', 'tracestate', 'baggage'];

const changes = ({ params }: McpRequest): boolean => {
  const meta = (params as { _meta?: unknown } | undefined)?._meta;
  return typeof meta === 'object' && meta !== null && CHANGING.some((name) => name in meta);
};

/** Null for a request that the SDK must see: it may be refused for its id, or its form would only take up space. */
export function listRequestOf(request: ListMessage, body: unknown): ListRequest | null {
  if (!isList(body) || isLarge(request.body) || changes(body)) return null;
  const { id } = body;
  if (typeof id === 'number' && !Number.isSafeInteger(id)) return null;
  const read = Object.entries(request.headers).filter(([name]) => isRead(name));
  const form = JSON.stringify([request.method, read, { ...body, id: null }]);
  return form.length > MAX_FORM_CHARACTERS ? null : { id, form };
}

/**
 * The tools as text. All callers see the same ones, who may use them is decided when one is called; and writing
 * their 90 kB takes the SDK milliseconds. So it writes them once for each era of the protocol. From then on it answers
 * with an empty list, and the text takes its place: everything else of the answer is the SDK's own. Such an answer is
 * kept for later requests of the same form, which the SDK does not see.
 */
export class ToolListCache {
  private readonly written = new Map<Era, Buffer>();
  private readonly answers = new LRUCache<string, ReadyAnswer>({ max: MAX_FORMS });

  needed(era: Era): ToolsNeeded {
    return this.written.has(era) ? 'none' : 'all';
  }

  /** The SDK's answer to requests of this form, under the id of this one. */
  ready({ id, form }: ListRequest): { headers: Record<string, string>; body: Buffer } | null {
    const answer = this.answers.get(form);
    if (!answer) return null;
    const { headers, beforeId, afterId } = answer;
    return { headers, body: Buffer.concat([...beforeId, Buffer.from(JSON.stringify(id)), ...afterId]) };
  }

  /** The answer to `tools/list` with all tools in it. Other responses, such as errors, are unchanged. */
  async complete(era: Era, response: Response, list: ListRequest | null): Promise<Response> {
    const text = await response.text();
    const { status, headers } = response;
    const written = this.written.get(era);
    if (!text.includes(EMPTY) || !written) {
      if (text.includes(FILLED)) this.keepTools(era, text);
      return new Response(text, { status, headers });
    }
    if (list && status === 200) this.keepAnswer(list.form, response, { text, written });
    return new Response(Buffer.concat(filled(text, written)), { status, headers });
  }

  private keepTools(era: Era, text: string): void {
    const { result } = JSON.parse(lineOf(text).line) as { result?: { tools?: unknown[] } };
    if (result?.tools) this.written.set(era, Buffer.from(`"tools":${JSON.stringify(result.tools)}`));
  }

  private keepAnswer(form: string, { headers }: Response, { text, written }: { text: string; written: Buffer }): void {
    const { before, line, after } = lineOf(text);
    const anyId = JSON.stringify({ ...(JSON.parse(line) as object), id: ANY_ID });
    const [head, tail] = anyId.split(JSON.stringify(ANY_ID));
    if (head === undefined || tail === undefined) return;
    this.answers.set(form, {
      headers: Object.fromEntries(headers),
      beforeId: filled(`${before}${head}`, written),
      afterId: filled(`${tail}${after}`, written),
    });
  }
}

/** The answer is one line of JSON, by itself or as an event of a stream. */
function lineOf(text: string): { before: string; line: string; after: string } {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}') + 1];
  return { before: text.slice(0, from), line: text.slice(from, to), after: text.slice(to) };
}

/** The tools are shared by all answers. */
function filled(text: string, tools: Buffer): Buffer[] {
  const at = text.indexOf(EMPTY);
  if (at === -1) return [Buffer.from(text)];
  return [Buffer.from(text.slice(0, at)), tools, Buffer.from(text.slice(at + EMPTY.length))];
}
