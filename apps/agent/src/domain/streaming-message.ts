import { blockFinishFrame, blockStartFrame, type FrameBody, messageStartFrame } from '@switchyard/contracts';
import { keepReasoning } from './reasoning';
import type { OpenMessage, TurnState } from './turn-state';
import type { Step } from './turn-update';

type TextKind = 'text' | 'reasoning';

interface OpenText {
  open: OpenMessage;
  frames: FrameBody[];
}

/** The first words of a message announce it, those of a block open it; the runner writes the delta itself. */
export function appendText(state: TurnState, kind: TextKind, text: string): Step {
  if (state.open === null) return { state, frames: [], effects: [] };
  const { open, frames } = inBlock(announce(state.open, state.model), kind);
  const heard =
    kind === 'text'
      ? { ...open, text: open.text + text }
      : { ...open, reasoning: keepReasoning(state.steps, open.reasoning, text) };
  return { state: { ...state, open: heard }, frames, effects: [] };
}

export function announce(open: OpenMessage, model: string): OpenText {
  return open.announced
    ? { open, frames: [] }
    : { open: { ...open, announced: true }, frames: [messageStartFrame(open.id, model)] };
}

/** Blocks of a message never overlap: one is finished before the next one starts. */
export function inBlock(text: OpenText, type: TextKind): OpenText {
  if (text.open.block?.type === type) return text;
  const { open, frames } = finishBlock(text);
  return {
    open: { ...open, block: { type, from: open[type].length }, blocks: open.blocks + 1 },
    frames: [...frames, blockStartFrame(open.blocks, type)],
  };
}

export function finishBlock({ open, frames }: OpenText): OpenText {
  if (open.block === null) return { open, frames };
  const { type, from } = open.block;
  return {
    open: { ...open, block: null },
    frames: [...frames, blockFinishFrame(open.blocks - 1, type, open[type].slice(from))],
  };
}
