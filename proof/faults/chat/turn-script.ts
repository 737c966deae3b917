import { newId } from '@switchyard/kernel';
import type { Random } from '../random';

export const TURN_KINDS = ['plain', 'tool', 'ask', 'cancel', 'drop', 'whole'] as const;
export type TurnKind = (typeof TURN_KINDS)[number];

/** Instructions of one turn, and the expected answer. */
export interface TurnScript {
  name: string;
  kind: TurnKind;
  turnId: string;
  text: string;
  /** The text of a turn that completes. */
  answer: string;
  /** Model calls that a turn without any fault makes. */
  modelCalls: number;
  /** After so many frames it is cancelled, or its connection dropped. */
  atFrame: number;
}

const WORDS = ['one', 'two', 'red', 'sun', 'day', 'sea', 'oak', 'fox'];
/** As the simulator says them. */
const words = (count: number): string => Array.from({ length: count }, (_, at) => WORDS[at % WORDS.length]).join(' ');

const QUESTION = {
  kind: 'single_choice',
  prompt: 'Which?',
  options: [
    { id: 'a', label: 'A' },
    { id: 'b', label: 'B' },
  ],
};

/** The first line names the turn, so that a call that reaches the upstream can be told from all others. */
export function planTurn(random: Random, index: number): TurnScript {
  const name = `turn-${index}`;
  const kind = random.pick([...TURN_KINDS, 'plain', 'plain', 'tool'] as const);
  const count = random.between(10, 50);
  const delay = `@@delay ${random.between(5, 60)}`;
  const text = `${delay}\n@@tokens ${count}`;
  const script: Record<TurnKind, { lines: string; answer: string; modelCalls: number }> = {
    plain: { lines: text, answer: words(count), modelCalls: 1 },
    drop: { lines: text, answer: words(count), modelCalls: 1 },
    cancel: { lines: text, answer: words(count), modelCalls: 1 },
    whole: { lines: text, answer: words(count), modelCalls: 1 },
    tool: { lines: `@@tool pay {"for":"${name}"}\n${text}`, answer: words(count), modelCalls: 2 },
    ask: { lines: `@@tool ask_user ${JSON.stringify(QUESTION)}\n${text}`, answer: words(count), modelCalls: 2 },
  };
  const { lines, answer, modelCalls } = script[kind];
  return { name, kind, turnId: newId(), text: `${name}\n${lines}`, answer, modelCalls, atFrame: random.between(3, 15) };
}
