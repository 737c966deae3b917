import { defineSignal } from '../define/define-contracts';
import { Nothing } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ToolAnswered } from './tool-result';

export class TurnSettled {
  @Field(f.id()) spaceId!: string;
  @Field(f.id(), { description: "The caller's word for it." }) turnId!: string;
}

export class CancelRequested {
  @Field(f.id()) key!: string;
}

/** Only speed things up: heartbeats and claims find the same later. */
export const SessionSignals = {
  /** Cancel a running turn: the lease holder aborts and closes it. */
  cancelRequested: defineSignal({
    name: 'session.cancel-requested',
    senders: ['session'],
    hearers: ['agent'],
    data: CancelRequested,
  }),
  /** A turn can be claimed. */
  turnsClaimable: defineSignal({
    name: 'session.turns-claimable',
    senders: ['session'],
    hearers: ['agent'],
    data: Nothing,
  }),
  /** A turn of a job or task ended, asked a question, or resumed: its waiting callers check it. */
  turnSettled: defineSignal({
    name: 'session.turn-settled',
    senders: ['session'],
    hearers: ['job', 'task'],
    data: TurnSettled,
  }),
  /** The host answered a local tool call. */
  toolAnswered: defineSignal({
    name: 'session.tool-answered',
    senders: ['session'],
    hearers: ['agent'],
    data: ToolAnswered,
  }),
};
