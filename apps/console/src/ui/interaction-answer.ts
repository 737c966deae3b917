import type { Answer, Interaction } from '@switchyard/client';

/** The answer that counted, as its options read. */
export function textOfAnswer({ options, selectedOptionIds, otherText }: Interaction): string {
  const chosen = options.filter(({ id }) => selectedOptionIds?.includes(id)).map(({ label }) => label);
  return [...chosen, ...(otherText ? [otherText] : [])].join(', ');
}

/** Why an answer does not count: the question had another one before it. The same one again is no loss. */
export function refusalOfAnswer(before: Interaction | null, given: Answer): Error | null {
  if (before === null) return null;
  const ids = (list: readonly string[] = []): string => list.toSorted().join('\n');
  const isSame =
    ids(before.selectedOptionIds) === ids(given.selectedOptionIds) &&
    (before.otherText ?? '') === (given.otherText ?? '');
  const words = textOfAnswer(before);
  return isSame
    ? null
    : new Error(`This question was answered before${words && `: ${words}`}. Your answer does not count.`);
}
