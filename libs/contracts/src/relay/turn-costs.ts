import { defineCall } from '../define/define-contracts';
import { listOf } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class TurnsToCost {
  @Field(f.list(f.id(), { max: 20_000 })) turnIds!: string[];
}

/** Charges of a turn so far. A turn's id is unique for one user only. */
export class TurnCost {
  @Field(f.id()) turnId!: string;
  @Field(f.id(), { nullable: true }) userId!: string | null;
  @Field(f.int()) tokens!: number;
  @Field(f.int(), { description: 'Of the tokens: those of prompts.' }) promptTokens!: number;
  @Field(f.number()) cost!: number;
}

export const RelayActivityCalls = {
  costsOfTurns: defineCall({
    subject: 'relay.costs-of-turns',
    request: TurnsToCost,
    reply: listOf(TurnCost),
    access: 'internal',
    callers: ['gateway', 'agent'],
  }),
};
