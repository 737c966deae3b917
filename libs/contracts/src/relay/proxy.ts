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

export interface ProxyHead {
  status: number;
  headers: Record<string, string>;
  /** The answer has no more bytes than the first frame carries. */
  isWhole: boolean;
}

const LENGTH_BYTES = 4;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The first frame of a relayed answer: status and headers, then the first bytes of the body. */
export function packProxyHead(head: ProxyHead, body: Uint8Array): Uint8Array {
  const json = encoder.encode(JSON.stringify(head));
  const frame = new Uint8Array(LENGTH_BYTES + json.byteLength + body.byteLength);
  new DataView(frame.buffer).setUint32(0, json.byteLength);
  frame.set(json, LENGTH_BYTES);
  frame.set(body, LENGTH_BYTES + json.byteLength);
  return frame;
}

export function unpackProxyHead(frame: Uint8Array): { head: ProxyHead; body: Uint8Array } {
  const length = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(0);
  const end = LENGTH_BYTES + length;
  return { head: JSON.parse(decoder.decode(frame.subarray(LENGTH_BYTES, end))) as ProxyHead, body: frame.subarray(end) };
}
