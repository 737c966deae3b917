import { type FrameBody, messageFinishFrame } from '@switchyard/contracts';
import { finishBlock } from './streaming-message';
import { visibleSteps } from './visible-steps';
import { settleOpenCalls } from './tool-calls';
import { type Ending, NO_USAGE, type StepMessage, type TurnState } from './turn-state';
import type { Step } from './turn-update';

export type End = Omit<Ending, 'messageId' | 'answer'>;

/** Closes what is open, so that the transcript holds every call with its result, and asks for the turn to be stored. */
export function end(state: TurnState, how: End): Step {
  const frames: FrameBody[] = [];
  let next = state;
  if (state.open?.announced) {
    frames.push(...finishBlock({ open: state.open, frames: [] }).frames, messageFinishFrame(NO_USAGE));
  }
  if (state.open && (state.open.text !== '' || state.open.reasoning !== '')) {
    const partial: StepMessage = {
      id: state.open.id,
      role: 'assistant',
      text: state.open.text,
      ...(state.open.reasoning === '' ? {} : { reasoning: state.open.reasoning }),
      model: state.model,
      finishReason: how.finishReason ?? 'stop',
    };
    next = { ...next, steps: [...next.steps, partial] };
  }
  const settled = settleOpenCalls(next, how.status === 'CANCELLED' ? 'CANCELLED' : 'TURN_ENDED');
  frames.push(...settled.frames);
  next = settled.state;
  const answers = visibleSteps(next.steps).filter(({ role }) => role === 'assistant');
  const open = answers.findLast(({ text }) => text !== '');
  const ending: Ending = {
    ...how,
    messageId: (open ?? answers.at(-1))?.id ?? null,
    answer: open?.text ?? '',
  };
  return {
    state: { ...next, open: null, phase: 'closing', interaction: null, ending },
    frames,
    effects: [{ type: 'close' }],
  };
}
