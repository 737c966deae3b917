import { Field, defineCall, f } from '@switchyard/contracts';
import type { makeKeys } from '../../../libs/messaging/test/conformance/peer';

export class BenchEcho {
  @Field(f.text({ max: 10_000 })) text!: string;
  @Field(f.int()) number!: number;
}

export const BenchCalls = {
  echo: defineCall({
    subject: 'task.bench-echo',
    request: BenchEcho,
    reply: BenchEcho,
    access: 'internal',
    callers: ['job'],
  }),
};

export const bareSubject = 'bare.bench-echo';

export type BenchKeys = ReturnType<typeof makeKeys>;

/** About 256 bytes of JSON. */
export const benchEcho: BenchEcho = { text: 'x'.repeat(226), number: 42 };
