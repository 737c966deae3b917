import { defineCall } from '../define/define-contracts';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { RecordToFind } from '../activity/causes';

/** The header with the id of the envelope that a request follows from. Deliveries to endpoints have it. */
export const CAUSE_HEADER = 'switchyard-cause';

/** Where an envelope is in its chain. */
export class EnvelopeCause {
  @Field(f.bool(), { description: 'The Space has such an envelope.' }) found!: boolean;
  @Field(f.id(), { nullable: true }) correlationId!: string | null;
  @Field(f.int({ min: 0 })) depth!: number;
  @Field(f.id(), { nullable: true, description: 'Root of its tree, where the chain does not say it.' })
  root!: string | null;
}

export const EnvelopeCauseCalls = {
  find: defineCall({
    subject: 'event-bus.find-envelope-cause',
    request: RecordToFind,
    reply: EnvelopeCause,
    access: 'internal',
    callers: ['gateway'],
  }),
};
