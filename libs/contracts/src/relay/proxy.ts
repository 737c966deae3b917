import { Field } from '../fields/field';
import { f } from '../fields/spec';

/** 10 MiB in base64, and room to spare. */
const BODY_MAX = 15 * 1024 * 1024;

/** A request to the OpenAI-compatible relay, with the headers that upstreams may see and nothing else. */
export class ProxyRequest {
  @Field(f.oneOf(['GET', 'POST'] as const)) method!: 'GET' | 'POST';
  @Field(f.text({ min: 1, max: 2048 }), { description: 'What follows /models/v1/.' }) path!: string;
  @Field(f.text({ max: 8192 }), { description: 'With its question mark, or empty.' }) query!: string;
  @Field(f.record(f.text({ max: 8192 }))) headers!: Record<string, string>;
  @Field(f.text({ max: BODY_MAX })) body!: string;
  @Field(f.oneOf(['utf8', 'base64'] as const)) encoding!: 'utf8' | 'base64';
}

/** The first frame of the answer, as JSON; the frames after it are the body's bytes. */
export interface ProxyHead {
  status: number;
  headers: Record<string, string>;
}
