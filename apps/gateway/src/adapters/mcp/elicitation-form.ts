import type { ClientCapabilities, ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { InteractionView } from '@switchyard/contracts';

export interface Choice {
  selectedOptionIds: string[];
  otherText: string | null;
}

type Form = ElicitRequestFormParams['requestedSchema'];

/** Lists of several choices came with this revision of the protocol. */
const SEVERAL_SINCE = '2025-11-25';

/** `elicitation: {}` is how clients said "forms" before there was anything else. */
export function takesForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (!elicitation) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** The question as a form that the client shows; null where its revision has no form for it. */
export function formOf(question: InteractionView, revision: string | undefined): Form | null {
  const isOld = revision !== undefined && revision < SEVERAL_SINCE;
  if (isOld && question.kind === 'multiple_choice') return null;
  const ids = question.options.map(({ id }) => id);
  const titles = question.options.map(({ id, label }) => ({ const: id, title: label }));
  const one = isOld
    ? { type: 'string' as const, enum: ids, enumNames: question.options.map(({ label }) => label) }
    : { type: 'string' as const, oneOf: titles };
  const several = {
    type: 'array' as const,
    items: { anyOf: titles },
    minItems: question.minSelections ?? (question.allowOther ? 0 : 1),
    ...(question.maxSelections === undefined ? {} : { maxItems: question.maxSelections }),
  };
  const other = { type: 'string' as const, title: 'Another answer', maxLength: 10_000 };
  return {
    type: 'object',
    properties: {
      choice: { title: question.prompt.slice(0, 200), ...(question.kind === 'single_choice' ? one : several) },
      ...(question.allowOther ? { other } : {}),
    },
    required: question.allowOther ? [] : ['choice'],
  };
}

/** The chosen option, as the client sent it. It is validated with all other answers. */
export function choiceOf(content: Record<string, unknown>): Choice {
  const { choice, other } = content;
  const chosen = Array.isArray(choice) ? choice : choice === undefined || choice === '' ? [] : [choice];
  return {
    selectedOptionIds: chosen.map(String),
    otherText: typeof other === 'string' && other !== '' ? other : null,
  };
}
