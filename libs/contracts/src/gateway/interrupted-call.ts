import { defineSignal } from '../define/define-contracts';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class InterruptedCallAttempt {
  @Field(f.text({ max: 200 }), { description: 'Names the process that ended.' }) server!: string;
  @Field(f.int({ min: 0, max: 2 }), { description: 'How the request was sent: first, or again.' })
  stage!: number;
  @Field(f.int({ min: 0 }), { description: 'When the request was sent.' }) sentAt!: number;
  @Field(f.int({ min: 0, max: 2 }), {
    description: 'Whether other requests ran beside it: none, later ones, or from the beginning.',
  })
  others!: number;
}

export class InterruptedCallChange {
  @Field(f.text({ min: 1, max: 2000 }), { description: 'Names the work that the request is about.' }) work!: string;
  @Field(f.int({ min: 0 }), { description: 'How many processes ended while they had it.' }) losses!: number;
  @Field(f.int({ min: 0 }), { description: 'How many ended that may have ended because of something else.' })
  unexplained!: number;
  @Field(
    f.list(
      f.object(() => InterruptedCallAttempt),
      { max: 20 },
    ),
    { description: 'Each process that ended.' },
  )
  deaths!: InterruptedCallAttempt[];
  @Field(f.bool(), { description: 'It got an answer after all.' }) isAnswered!: boolean;
}

export const InterruptedCallSignals = {
  /** A request of one gateway got no answer: the client may repeat it at another one. */
  changed: defineSignal({
    name: 'gateway.call-unanswered',
    senders: ['gateway'],
    hearers: ['gateway'],
    data: InterruptedCallChange,
  }),
};
