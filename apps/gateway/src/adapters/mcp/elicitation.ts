import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { AgentCalls, mayAnswerApprovals } from '@switchyard/contracts';
import type { Ctx, InteractionView, TurnResult } from '@switchyard/contracts';
import { choiceOf, formOf, takesForms } from './elicitation-form';
import type { ClientMemory } from './sealed-client-capabilities';
import type { ToolRun } from './tool';
import { answerInteraction } from './tools/call-agent';

/** Where a turn stands that waits for its user. The client carries it; it is sealed for the caller. */
export interface ElicitationState {
  agentId: string;
  turnId: string;
  sessionId: string;
  interactionId: string;
}

/** A person may take a day to answer; the question itself waits for seven. */
const ANSWERED_WITHIN_SECONDS = 24 * 60 * 60;

export type ElicitationCodec = ReturnType<typeof elicitationCodec>;

export const elicitationCodec = (secret: Uint8Array, { spaceId, userId }: Ctx) =>
  createRequestStateCodec<ElicitationState>({
    key: secret,
    ttlSeconds: ANSWERED_WITHIN_SECONDS,
    bind: () => JSON.stringify([spaceId, userId]),
  });

/** Since 2026-07-28 every request says what its client can do. */
function declaredIn({ mcpReq }: ServerContext): ClientMemory | null {
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  if (!envelope) return null;
  return {
    capabilities: envelope[CLIENT_CAPABILITIES_META_KEY] as ClientMemory['capabilities'],
    protocolVersion: envelope[PROTOCOL_VERSION_META_KEY] as string,
  };
}

/** Details of calls that an approval form may show. */
const SHOWN_CHARS = 8_000;
/** Would show the arguments in another order than they are in. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The prompt text. An approval shows the complete call with all arguments; null if that is too long. */
export function messageOf({ prompt, purpose, calls = [] }: InteractionView): string | null {
  if (purpose !== 'approval') return prompt;
  const shown = calls.map((call) => `${call.name} ${JSON.stringify(call.arguments, null, 2)}`);
  const message = [prompt, ...shown].join('\n\n').replace(DIRECTIONS, escaped);
  return message.length > SHOWN_CHARS ? null : message;
}

/** Said beside a turn that waits for an approval that this client cannot give. */
export function whereToApprove(result: TurnResult, consoleUrl: string): string | null {
  const question = result.interaction as unknown as InteractionView | null;
  if (result.status !== 'WAITING_INPUT' || question?.purpose !== 'approval') return null;
  return `This waits for an approval, with the arguments in "interaction". It can be answered in the inbox: ${consoleUrl}/inbox`;
}

/** The question of a turn that waits, put to the client's user; null where this client cannot be asked. */
export async function askClient(
  result: TurnResult,
  client: ClientMemory | null,
  context: ServerContext,
  { ctx, codec }: { ctx: Ctx; codec: ElicitationCodec },
): Promise<InputRequiredResult | null> {
  if (result.status !== 'WAITING_INPUT' || !result.interaction || !result.session_id) return null;
  const { capabilities, protocolVersion } = declaredIn(context) ?? client ?? {};
  if (!takesForms(capabilities)) return null;
  const question = result.interaction as unknown as InteractionView;
  // Another person has to decide, or another credential.
  if (question.purpose === 'approval' && (question.by !== 'USER' || !mayAnswerApprovals(ctx))) return null;
  const message = messageOf(question);
  // A call that cannot be shown completely is not offered for approval.
  if (message === null) return null;
  // A declined question is not asked again.
  if (context.mcpReq.requestState<ElicitationState>()?.interactionId === question.id) return null;
  const requestedSchema = formOf(question, protocolVersion);
  if (!requestedSchema) return null;
  const state: ElicitationState = {
    agentId: result.agent_id,
    turnId: result.turn_id,
    sessionId: result.session_id,
    interactionId: question.id,
  };
  return inputRequired({
    inputRequests: { choice: inputRequired.elicit({ message, requestedSchema }) },
    requestState: await codec.mint(state, context),
  });
}

/** Goes on with the turn that the client was asked about; null where this call is no such answer. */
export async function continueElicitation(context: ServerContext, run: ToolRun): Promise<TurnResult | null> {
  const state = context.mcpReq.requestState<ElicitationState>();
  if (!state) return null;
  const { agentId, turnId } = state;
  const answer = inputResponse(context.mcpReq.inputResponses, 'choice');
  // A cancelled prompt leaves the question open; it can be answered through another client.
  if (answer.kind !== 'elicit' || answer.action !== 'accept')
    return run.bus.call(AgentCalls.turnResult, run.ctx, { agentId, turnId });
  return answerInteraction({ ...state, ...choiceOf(answer.content ?? {}) }, run);
}
