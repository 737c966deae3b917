import { defineSignal } from '../define/contracts';
import { Nothing } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { ToolAnswered } from './tool-result';

export class TurnSettled {
  @Field(f.id()) spaceId!: string;
  @Field(f.id(), { description: "The caller's word for it." }) turnId!: string;
}

export class CancelRequested {
  @Field(f.id()) key!: string;
}

/** Accelerators only: heartbeats and claims find out the same, later. */
export const SessionSignals = {
  /** A running turn shall stop; whoever holds it aborts and closes it. */
  cancelRequested: defineSignal({
    name: 'session.cancel-requested',
    senders: ['session'],
    hearers: ['agent'],
    data: CancelRequested,
  }),
  /** Some turn waits for a holder: claim now. */
  turnsClaimable: defineSignal({
    name: 'session.turns-claimable',
    senders: ['session'],
    hearers: ['agent'],
    data: Nothing,
  }),
  /** A turn of a job or a task has ended, has a question, or goes on after one: whoever waits for it looks now. */
  turnSettled: defineSignal({
    name: 'session.turn-settled',
    senders: ['session'],
    hearers: ['job', 'task'],
    data: TurnSettled,
  }),
  /** The host has answered a local tool call. */
  toolAnswered: defineSignal({
    name: 'session.tool-answered',
    senders: ['session'],
    hearers: ['agent'],
    data: ToolAnswered,
  }),
};
