import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError, isPlainObject, type JsonObject } from '@switchyard/kernel';
import { limitToolOutput } from '../domain/limit-tool-output';

export interface McpTool {
  name: string;
  description: string | null;
  inputSchema: JsonObject;
  annotations: JsonObject;
}

export interface ToolPage {
  tools: { name: string; description?: string; inputSchema: unknown; annotations?: unknown }[];
  nextCursor?: string;
}

const SCHEMA_CHARS = 32_000;
const DESCRIPTION_CHARS = 4000;
const NAME_CHARS = 200;
/** Schemas are copied and measured; so many at a time leave the event loop to others between them. */
const AT_ONCE = 20;

/** Reads a list of tools, one page at a time. A server that lists more than `most` is not listed at all. */
export async function readToolPages(
  page: (cursor: string | undefined) => Promise<ToolPage>,
  most: number,
): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const { tools: some, nextCursor } = await page(cursor);
    if (tools.length + some.length > most)
      throw new AppError('SERVICE_UNAVAILABLE', `The server lists more than ${most} tools.`);
    for (const [at, tool] of some.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await yieldToOthers();
      tools.push(boundedTool(tool));
    }
    if (nextCursor !== undefined && seen.has(nextCursor))
      throw new AppError('SERVICE_UNAVAILABLE', 'The server lists the same page of tools again and again.');
    // A page without tools is no reason to stop, and many of them are: the cursors count as well.
    if (seen.size >= most) throw new AppError('SERVICE_UNAVAILABLE', `The server lists more than ${most} pages.`);
    if (nextCursor !== undefined) seen.add(nextCursor);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return tools;
}

function boundedTool({ name, description, inputSchema, annotations }: ToolPage['tools'][number]): McpTool {
  const schema = limitToolOutput(inputSchema, SCHEMA_CHARS);
  const hints = limitToolOutput(annotations, DESCRIPTION_CHARS);
  return {
    name: name.slice(0, NAME_CHARS),
    description: description === undefined ? null : String(limitToolOutput(description, DESCRIPTION_CHARS)),
    inputSchema: isPlainObject(schema) ? schema : { type: 'object' },
    annotations: isPlainObject(hints) ? hints : {},
  };
}
