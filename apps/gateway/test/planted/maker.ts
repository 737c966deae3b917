import { randomUUID } from 'node:crypto';
import type { Answer, Client, Reply, RequestOptions, SseFrame, TestPlatform, TestSpace } from '@switchyard/testing';

export const dataOf = ({ status, body }: Reply, path: string): Answer => {
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.data;
};

export const contentsOf = (value: string): object[] => [{ type: 'text', text: value }];

/** Makes the things of a planted Space as its users would, and throws at the first refusal. */
export class Maker {
  constructor(
    readonly platform: TestPlatform,
    readonly space: TestSpace,
  ) {}

  get owner(): Client {
    return this.space.owner;
  }

  async create(path: string, body: object, by: Client = this.owner, options: RequestOptions = {}): Promise<Answer> {
    return dataOf(await by.post(path, body, options), path);
  }

  /** A turn that has ended, or that waits. */
  chat(agentId: string, message: string, body: object = {}): Promise<Answer> {
    const turn = { stream: false, turnId: randomUUID(), contents: contentsOf(message), ...body };
    return this.create(`/agents/${agentId}/chat`, turn);
  }

  /** The frames of a stream, which the caller ends. */
  async stream(path: string, body: object): Promise<AsyncGenerator<SseFrame>> {
    const {
      status,
      body: refusal,
      frames,
    } = await this.owner.stream(path, body, {
      headers: { 'x-service-stream-protocol': 'stream-v3' },
    });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(refusal)}`);
    return frames;
  }
}
