import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ContextStatus,
  type FrameBody,
  PRODUCT_EVENTS,
  productFrame,
  TurnFrameWriter,
} from '@switchyard/contracts';
import { missingFrames } from './read-stored-turn';
import { advance } from './turn-reducer';
import { closingFrames, turnResult } from './turn-outcome';
import { newTurnState, type ToolCall, type TurnFacts } from './turn-state';
import type { Update } from './turn-update';

const RECORDED = join(__dirname, '../../../../libs/contracts/src/turn-frames/recorded-frames.txt');
const NOW = 1_700_000_000_000;
const FACTS: TurnFacts = {
  turnId: 't',
  sessionId: 's',
  agentId: 'a',
  agentName: 'Agent "one"',
  kind: 'execute',
  maxSteps: 5,
  askMode: false,
  canAsk: true,
  hasKnowledge: true,
  structured: true,
  metadata: { note: 'é' },
};
const CALLS: ToolCall[] = [
  { id: 'c1', name: 'query_dataset', arguments: { a: 1 }, source: 'builtin', action: false },
  { id: 'c2', name: 'files__write', arguments: {}, source: 'mcp', action: true },
  { id: 'c3', name: 'pay', arguments: { sum: 3 }, source: 'local', action: true },
  { id: 'c4', name: 'ask_user', arguments: {}, source: 'builtin', action: false },
];
const USAGE = { promptTokens: 3, completionTokens: 4, cost: 0.5 };
const finish = (
  toolCalls: ToolCall[],
  answerCheck?: Extract<Update, { type: 'model-finished' }>['answerCheck'],
): Update => ({
  type: 'model-finished',
  toolCalls,
  usage: USAGE,
  finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  model: 'm',
  ...(answerCheck ? { answerCheck } : {}),
});
const done = (callId: string, outcome: Extract<Update, { type: 'tool-settled' }>['outcome']): Update => ({
  type: 'tool-settled',
  callId,
  outcome,
  at: 7,
});

const UPDATES: Update[] = [
  { type: 'begin' },
  { type: 'retrieved', items: [{ dataset_id: 'd', record_id: 'r', score: 1, text: 'x', fields: { y: null } }] },
  { type: 'model-called', messageId: 'm1' },
  { type: 'reasoning', text: 'Three ' },
  { type: 'delta', text: 'Let "me"\n' },
  finish(CALLS),
  { type: 'tools-started', at: 1 },
  done('c1', { status: 'succeeded', output: [1, { b: PRODUCT_EVENTS.streamEnded }] }),
  done('c2', { status: 'failed', code: 'X', message: 'y' }),
  done('c3', { status: 'skipped', code: 'DENIED', message: 'no' }),
  { type: 'asked', interaction: { id: 'i', kind: 'single_choice' } },
  { type: 'answered', callId: 'c4', output: {}, interaction: { id: 'i' }, at: 9 },
  { type: 'taken-over', fromSeq: 4, at: 9 },
  { type: 'model-called', messageId: 'm2' },
  { type: 'delta', text: 'Done' },
  finish([], { ok: false, problem: 'no JSON', fromSeq: 40 }),
  { type: 'model-called', messageId: 'm3' },
  { type: 'delta', text: '{}' },
  finish([], { ok: true, output: {} }),
];

/** Frames of a turn in which everything happens, and the ends of others. */
function writeTurn(): string[] {
  const writer = new TurnFrameWriter();
  const lines: string[] = [];
  const write = (...bodies: FrameBody[]): void => {
    for (const body of bodies) lines.push(writer.write(body, NOW));
  };
  let state = newTurnState('m');
  for (const update of UPDATES) {
    const id = state.open?.id ?? '';
    const step = advance(FACTS, state, update);
    state = step.state;
    write(...step.frames);
    if (update.type === 'delta') lines.push(writer.writeDelta(PRODUCT_EVENTS.contentDelta, update.text, id, NOW));
    if (update.type === 'reasoning') lines.push(writer.writeDelta(PRODUCT_EVENTS.reasoningDelta, update.text, id, NOW));
    if (update.type === 'tools-started')
      write(productFrame('localToolCall', { call_id: 'c3', name: 'pay', arguments: { sum: 3 }, expires_at: 'z' }));
  }
  write(productFrame('turnPersistPending', { turn_id: 't' }));
  const result = turnResult(FACTS, state, 10);
  const context = { usedTokens: 1, remainingTokens: 2, maxTokens: 3, estimated: false } as ContextStatus;
  write(...closingFrames(FACTS, result, context));
  const error = { code: 'RATE_LIMITED', message: 'wait', retryAt: '2026-01-01T00:00:00.000Z' };
  write(...closingFrames(FACTS, { ...result, status: 'FAILED', error }, null));
  write(...closingFrames({ ...FACTS, kind: 'chat' }, result, null));
  const ended = { id: 't', sessionId: 's', agentId: 'a', usage: null, result: null, finishReason: null, error: null };
  const record = { ...ended, status: 'CANCELLED', interaction: null } as unknown as Parameters<typeof missingFrames>[0];
  write(...missingFrames(record, 'Agent', null));
  const interaction = { id: 'i', prompt: 'Which?' };
  write(
    ...missingFrames({ ...record, status: 'WAITING_INPUT', interaction } as unknown as typeof record, 'Agent', null),
  );
  return lines;
}

describe('frames of a turn', () => {
  it('are written as they were recorded: readers and stored logs depend on their bytes', () => {
    const text = `${writeTurn().join('\n')}\n`;
    if (process.env['SWITCHYARD_TEST_UPDATE']) writeFileSync(RECORDED, text);
    expect(text).toBe(readFileSync(RECORDED, 'utf8'));
  });
});
