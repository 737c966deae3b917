import type { Client, Reply, SseFrame } from '@switchyard/testing';
import { Stabilizer } from './stabilizer';

export interface OperationExample {
  /** Body of the request. */
  request?: unknown;
  /** By status: the body as JSON, or the text of a stream or file. */
  responses: Record<string, { media: string; body: unknown }>;
}

const FRAMES = 6;
const HEADERS = { 'x-service-stream-protocol': 'stream-v3', accept: 'application/json, text/event-stream' };

/** Calls operations of a running platform and records their requests and answers. */
export class ExampleRecorder {
  readonly examples: Record<string, OperationExample> = {};
  readonly failures: string[] = [];
  private readonly stabilizer = new Stabilizer();

  /** `operation` is a method and a path of the OpenAPI document. */
  async call(
    client: Client,
    operation: string,
    parameters: Record<string, string> = {},
    body?: unknown,
    query = '',
  ): Promise<Reply> {
    const { method, path } = target(operation, parameters);
    const reply = await client.raw(method, `${path}${query}`, body, { headers: HEADERS });
    const media = reply.headers['content-type']?.split(';')[0] ?? 'application/json';
    if (reply.status >= 300) this.failures.push(`${operation}: ${reply.status} ${JSON.stringify(reply.body)}`);
    else this.record(operation, { body, status: reply.status, media, answer: reply.body });
    return reply;
  }

  /** An operation whose answer is an event stream: the first and the last frames are the example. `most` ends it. */
  async stream(
    client: Client,
    operation: string,
    parameters: Record<string, string>,
    body?: unknown,
    most = Infinity,
  ): Promise<void> {
    const { method, path } = target(operation, parameters);
    const reply = await client.rawStream(method, path, body, { headers: HEADERS });
    if (reply.status !== 200) {
      this.failures.push(`${operation}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return;
    }
    const frames: SseFrame[] = [];
    for await (const frame of reply.frames) if (frames.push(frame) >= most) break;
    const shown = frames.length > FRAMES ? [...frames.slice(0, FRAMES - 2), ...frames.slice(-2)] : frames;
    const answer = shown
      .map(
        ({ id, event, data }) =>
          `${id ? `id: ${id}\n` : ''}${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      )
      .join('');
    this.record(operation, { body, status: 200, media: 'text/event-stream', answer });
  }

  /** An operation with a long answer, of which the example shows these fields alone. */
  async beginning(client: Client, operation: string, fields: string[]): Promise<void> {
    const { method, path } = target(operation, {});
    const { status, body } = await client.raw(method, path, undefined, { headers: HEADERS });
    if (status >= 300) this.failures.push(`${operation}: ${status}`);
    const answer = Object.fromEntries(fields.map((field) => [field, (body as Record<string, unknown>)[field]]));
    if (status < 300) this.record(operation, { body: undefined, status, media: 'application/json', answer });
  }

  /** An operation that takes a file. */
  async file(client: Client, operation: string, parameters: Record<string, string>, media: string): Promise<void> {
    const { method, path } = target(operation, parameters);
    const text = '{"sku":"lamp-3","title":"Wall lamp","price":49}\n';
    const reply = await client.raw(method, path, text, { headers: { 'content-type': media } });
    if (reply.status >= 300) this.failures.push(`${operation}: ${reply.status} ${JSON.stringify(reply.body)}`);
    else this.record(operation, { body: text, status: reply.status, media: 'application/json', answer: reply.body });
  }

  private record(operation: string, seen: { body: unknown; status: number; media: string; answer: unknown }): void {
    const example = (this.examples[operation] ??= { responses: {} });
    if (seen.body !== undefined) example.request ??= this.stabilizer.stable(seen.body);
    const key = `${seen.status} ${seen.media}`;
    example.responses[key] = { media: seen.media, body: this.stabilizer.stable(seen.answer) };
  }
}

function target(operation: string, parameters: Record<string, string>): { method: string; path: string } {
  const [method = '', template = ''] = operation.split(' ');
  return { method, path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '') };
}
