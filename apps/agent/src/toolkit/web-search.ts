import { Injectable } from '@nestjs/common';
import { isPlainObject } from '@switchyard/kernel';
import { request } from 'undici';
import { AgentConfig } from '../agent.config';
import { ToolError } from './tool';

const MAX_RESULTS = 8;
const MAX_BYTES = 1024 * 1024;
const LISTS = ['results', 'items', 'organic', 'data'];

export interface WebResult {
  title: string;
  url: string;
  snippet: string;
}

/** Asks the search service that the operator has configured. Its address is the operator's word, so it may be private. */
@Injectable()
export class WebSearch {
  constructor(private readonly config: AgentConfig) {}

  get isConfigured(): boolean {
    return (this.config.WEB_SEARCH_URL ?? '') !== '';
  }

  async search(query: string, signal: AbortSignal): Promise<WebResult[]> {
    const address = this.config.WEB_SEARCH_URL ?? '';
    if (address === '') throw new ToolError('NOT_AVAILABLE', 'This deployment has no web search.');
    const url = address.includes('{query}')
      ? address.replaceAll('{query}', encodeURIComponent(query))
      : `${address}${address.includes('?') ? '&' : '?'}q=${encodeURIComponent(query)}`;
    const key = this.config.WEB_SEARCH_KEY;
    const response = await request(url, {
      headers: { accept: 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      signal,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new ToolError('TOOL_FAILED', 'The web search answered with too much.');
      chunks.push(chunk);
    }
    if (response.statusCode >= 400)
      throw new ToolError('TOOL_FAILED', `The web search answered with status ${response.statusCode}.`);
    return readResults(Buffer.concat(chunks).toString('utf8'));
  }
}

function readResults(text: string): WebResult[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ToolError('TOOL_FAILED', 'The web search did not answer with JSON.');
  }
  const list = Array.isArray(body)
    ? body
    : isPlainObject(body)
      ? LISTS.map((name) => body[name]).find(Array.isArray)
      : undefined;
  return ((list ?? []) as unknown[])
    .filter(isPlainObject)
    .slice(0, MAX_RESULTS)
    .map((item) => ({
      title: firstText(item, ['title', 'name']),
      url: firstText(item, ['url', 'link']),
      snippet: firstText(item, ['snippet', 'content', 'description']),
    }));
}

const firstText = (item: Record<string, unknown>, names: readonly string[]): string =>
  names.map((name) => item[name]).find((value) => typeof value === 'string') ?? '';
