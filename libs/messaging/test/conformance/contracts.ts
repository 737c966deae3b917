import { BytesFrame, Field, defineCall, defineEvent, defineSignal, defineStream, f } from '@switchyard/contracts';

export class Text {
  @Field(f.text({ max: 12 * 1024 * 1024 })) text!: string;
}

export class Count {
  @Field(f.int({ min: 0 })) count!: number;
  @Field(f.int({ min: 0 }), { optional: true }) bytes?: number;
  @Field(f.int({ min: 0 }), { optional: true }) inBatchesOf?: number;
}

export class Happening {
  @Field(f.text({ max: 50 })) key!: string;
  @Field(f.int()) number!: number;
  @Field(f.text({ max: 800_000 }), { optional: true }) filler?: string;
}

export class LeaseRef {
  @Field(f.text()) name!: string;
  @Field(f.text(), { secret: true }) value!: string;
}

export class HandOver {
  @Field(f.text()) name!: string;
  @Field(f.text(), { secret: true }) password!: string;
  @Field(f.list(f.object(() => LeaseRef)), { optional: true }) held?: LeaseRef[];
}

export class HandedOver {
  @Field(f.text()) name!: string;
  @Field(f.text(), { secret: true }) token!: string;
  @Field(f.list(f.object(() => LeaseRef)), { optional: true }) held?: LeaseRef[];
}

/** Contracts of this suite: `task` serves and emits, `job` calls and consumes. */
export const Calls = {
  echo: defineCall({ subject: 'task.echo', request: Text, reply: Text, access: 'internal', callers: ['job'] }),
  refuse: defineCall({
    subject: 'task.refuse',
    request: Text,
    reply: Text,
    access: 'internal',
    callers: ['job'],
    errors: ['CONFLICT'],
  }),
  crash: defineCall({ subject: 'task.crash', request: Text, reply: Text, access: 'internal', callers: ['job'] }),
  hang: defineCall({ subject: 'task.hang', request: Text, reply: Text, access: 'internal', callers: ['job'] }),
  hold: defineCall({ subject: 'task.hold', request: Text, reply: Text, access: 'internal', callers: ['job'] }),
  large: defineCall({
    subject: 'task.large',
    request: Count,
    reply: Text,
    access: 'internal',
    callers: ['job'],
    offline: true,
  }),
  unpackable: defineCall({
    subject: 'task.unpackable',
    request: Text,
    reply: Text,
    access: 'internal',
    callers: ['job'],
  }),
  refuseAtLength: defineCall({
    errors: ['CONFLICT'],
    subject: 'task.refuse-at-length',
    request: Text,
    reply: Text,
    access: 'internal',
    callers: ['job'],
  }),
  handOver: defineCall({
    subject: 'task.hand-over',
    request: HandOver,
    reply: HandedOver,
    access: 'internal',
    callers: ['job'],
    offline: true,
  }),
  nobody: defineCall({ subject: 'task.nobody', request: Text, reply: Text, access: 'internal', callers: ['job'] }),
  notForYou: defineCall({
    subject: 'task.not-for-you',
    request: Text,
    reply: Text,
    access: 'internal',
    callers: ['agent'],
  }),
};

export const Streams = {
  numbers: defineStream({
    subject: 'task.numbers',
    request: Count,
    frame: Count,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['job'],
    window: 64,
  }),
  refused: defineStream({
    errors: ['CONFLICT'],
    subject: 'task.refused',
    request: Count,
    frame: Count,
    access: 'internal',
    callers: ['job'],
  }),
  bytes: defineStream({
    subject: 'task.bytes',
    request: Count,
    frame: BytesFrame,
    access: 'internal',
    callers: ['job'],
    window: 64,
  }),
};

export const Events = {
  happened: defineEvent({ name: 'task.happened', source: 'task', data: Happening, consumers: ['job'] }),
};

export const Signals = {
  wake: defineSignal({ name: 'task.wake', senders: ['job'], hearers: ['task'], data: Text }),
};
