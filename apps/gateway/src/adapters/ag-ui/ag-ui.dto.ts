import { f, Described, Field, SIZES } from '@switchyard/contracts';

const open = { optional: true, nullable: true } as const;

@Described('`RunAgentInput` of AG-UI 1.0.')
export class RunAgentBody {
  @Field(f.text({ min: 1, max: 200 }), { description: 'The session; made when unknown.' }) threadId!: string;
  @Field(f.text({ min: 1, max: 200 }), { description: 'The turn, where it is a UUID. The same run never runs twice.' })
  runId!: string;
  @Field(f.json(SIZES.body), { description: 'Messages of the conversation, newest last.' }) messages!: unknown;
  @Field(f.json(SIZES.agentList), { ...open, description: 'Tools of the client, for this run.' }) tools?: unknown;
  @Field(f.json(SIZES.inputs), {
    ...open,
    description: 'Pieces of `{description, value}`, told before the newest message.',
  })
  context?: unknown;
  @Field(f.json(SIZES.inputs), {
    ...open,
    description: 'The answer to an interrupt: `[{interruptId, status, payload}]`.',
  })
  resume?: unknown;
  @Field(f.json(SIZES.body), { ...open, description: 'Taken and without effect.' }) state?: unknown;
  @Field(f.json(SIZES.body), { ...open, description: 'Taken and without effect.' }) forwardedProps?: unknown;
  @Field(f.text({ max: 200 }), { ...open, description: 'Taken and without effect.' }) parentRunId?: string | null;
  @Field(f.text({ max: 200 }), { ...open, description: 'Taken and without effect.' }) protocolVersion?: string | null;
}
