import { f, Field, PageRequest } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

export class SessionChanges {
  @Field(f.text({ min: 1, max: 200 }), { optional: true }) title?: string;
  @Field(f.record(), { optional: true, description: 'Replaces what was there.' }) metadata?: JsonObject;
}

export class ForkRequest {
  @Field(f.id(), {
    optional: true,
    description: 'The last message that the new session shares; without it, all of them.',
  })
  fromMessageId?: string;
}

export class MessagePageRequest extends PageRequest {
  @Field(f.queryInt({ min: 0, max: 2_147_483_647 }), {
    optional: true,
    description: 'Only messages with a greater seq.',
  })
  after?: number;
  @Field(f.id(), { optional: true, description: 'Only messages of this turn.' }) turnId?: string;
}
