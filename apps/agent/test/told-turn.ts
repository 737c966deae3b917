import { type FrameBody, TurnFrameWriter, type TurnRecord } from '@switchyard/contracts';
import { HeardFrames } from '../src/domain/heard-frames';
import { unsaidOf } from '../src/domain/stored-turn';
import { advance } from '../src/domain/turn';
import { leftResult, turnResult } from '../src/domain/turn-outcome';
import { newTurnState, type ToolCall, type TurnFacts, type TurnState } from '../src/domain/turn-state';
import type { Update } from '../src/domain/turn-update';

export const FACTS: TurnFacts = {
  turnId: 't',
  sessionId: 's',
  agentId: 'a',
  agentName: 'Guide',
  kind: 'chat',
  maxSteps: 5,
  askMode: false,
  canAsk: true,
  hasKnowledge: false,
  structured: false,
};
const usage = (tokens: number): { promptTokens: number; completionTokens: number; cost: number } => ({
  promptTokens: tokens,
  completionTokens: tokens,
  cost: 0,
});
export const tool = (id: string, name = 'look'): ToolCall => ({
  id,
  name,
  arguments: { of: id },
  source: 'builtin',
  action: false,
});

export const calls = (messageId: string): Update => ({ type: 'model-called', messageId });
export const say = (...words: string[]): Update[] => words.map((text) => ({ type: 'delta', text }));
export const think = (...words: string[]): Update[] => words.map((text) => ({ type: 'reasoning', text }));
export const finish = (toolCalls: ToolCall[] = [], tokens = 7): Update => ({
  type: 'model-finished',
  toolCalls,
  usage: usage(tokens),
  finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  model: 'm',
});
export const done = (callId: string, output: unknown = 'out'): Update => ({
  type: 'tool-settled',
  callId,
  outcome: { status: 'succeeded', output },
  at: 2,
});
export const refuse = (fromSeq: number): Update => ({
  ...(finish() as Extract<Update, { type: 'model-finished' }>),
  verdict: { ok: false, problem: 'it is not JSON', fromSeq },
});
export const restart = (fromSeq: number): Update => ({ type: 'taken-over', fromSeq, at: 5 });

export const PLAIN = [{ type: 'begin' } as const, calls('m1'), ...say('One ', 'two ', 'three'), finish()];

/** A turn as its holder says it, whether the log gets it or not. */
export class Told {
  readonly lines: string[] = [];
  state: TurnState = newTurnState('m');
  private readonly writer = new TurnFrameWriter();

  constructor(
    updates: readonly Update[],
    private readonly facts: TurnFacts = FACTS,
  ) {
    for (const update of updates) {
      const { open } = this.state;
      const { state, frames } = advance(this.facts, this.state, update);
      this.state = state;
      for (const frame of frames) this.lines.push(this.writer.write(frame, 1));
      if (update.type === 'delta')
        this.lines.push(this.writer.writeDelta('content-delta', update.text, open?.id ?? '', 1));
      if (update.type === 'reasoning')
        this.lines.push(this.writer.writeDelta('reasoning-delta', update.text, open?.id ?? '', 1));
    }
  }

  /** The turn as it is stored. */
  get record(): TurnRecord {
    const { ending, interaction } = this.state;
    const result = leftResult(this.facts, this.state, turnResult(this.facts, this.state, 1));
    return {
      id: 't',
      key: 'k',
      agentId: 'a',
      userId: 'u',
      sessionId: 's',
      status: ending?.status ?? 'WAITING_INPUT',
      startedAt: '2026-01-01T00:00:00.000Z',
      finishedAt: '2026-01-01T00:00:01.000Z',
      error: ending?.error ?? null,
      epoch: 1,
      owner: 'gone',
      cancelRequested: false,
      finishReason: ending?.finishReason ?? null,
      usage: null,
      // As the database gives it back.
      result: JSON.parse(JSON.stringify(result)) as unknown,
      interaction: interaction as unknown as TurnRecord['interaction'],
    };
  }

  at(test: (line: string) => boolean): number {
    return this.lines.findIndex(test) + 1;
  }
}

export function heardOf(lines: readonly string[]): HeardFrames {
  const heard = new HeardFrames();
  for (const line of lines) heard.take(line);
  return heard;
}

export const unsaid = (told: Told, kept: number): FrameBody[] =>
  unsaidOf(told.record, heardOf(told.lines.slice(0, kept)));

// oxlint-disable-next-line typescript/no-explicit-any
type Data = any;
export const parsed = (lines: readonly string[]): { method: string; data: Data; seq: number }[] =>
  lines.map((line) => {
    const { method, params, seq } = JSON.parse(line) as { method: string; params: { data: Data }; seq: number };
    return { method, data: params.data, seq };
  });

export const brief = (frames: readonly { method: string; data: Data }[]): string[] =>
  frames.map(({ method, data }) => {
    const { event, delta, content, status, id } = data;
    return [
      method === 'tools' || method === 'custom:service' || method === 'messages' ? event : `${method} ${event}`,
      delta ?? content?.text ?? content?.reasoning ?? content?.id ?? status ?? id,
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  });

/** What counts of a stream to whoever reads all of it. */
function heardBy(frames: readonly { method: string; data: Data }[]): unknown {
  const texts: Record<string, string> = {};
  const events: string[] = [];
  for (const { method, data } of frames) {
    if (data.event === 'content-delta' || data.event === 'reasoning-delta') {
      const name = `${data.event} ${data.message_id}`;
      texts[name] = `${texts[name] ?? ''}${data.delta}`;
    } else events.push(`${method} ${JSON.stringify(data)}`);
  }
  return { texts, events };
}

export const numbered = (bodies: readonly FrameBody[], after: number): ReturnType<typeof parsed> => {
  const writer = new TurnFrameWriter(after);
  return parsed(bodies.map((body) => writer.write(body, 1)));
};

/** What counts of a stream that takes back some of what it said: its texts, and what became of its tools. */
export function countedBy(frames: readonly { data: Data; seq: number }[]): {
  texts: Record<string, string>;
  tools: string[];
} {
  let counted = [...frames];
  for (const { data, seq } of frames)
    if (data.event === 'step-restarted')
      counted = counted.filter((frame) => frame.seq < data.from_seq || frame.seq > seq);
  const texts: Record<string, string> = {};
  for (const { data } of counted)
    if (data.delta !== undefined) {
      const name = `${data.event} ${data.message_id}`;
      texts[name] = `${texts[name] ?? ''}${data.delta}`;
    }
  const tools = counted.filter(({ data }) => data.event === 'tool-execution').map(({ data }) => JSON.stringify(data));
  return { texts, tools: tools.sort() };
}

/** Tools of one step begin side by side; whoever hears of them later hears of one after the other. */
export const inAnyOrder = (frames: readonly { method: string; data: Data }[]): unknown => {
  const { texts, events } = heardBy(frames) as { texts: unknown; events: string[] };
  return { texts, events: events.sort() };
};
