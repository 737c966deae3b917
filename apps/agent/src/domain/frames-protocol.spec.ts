import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { PRODUCT_EVENTS, TurnFrameWriter } from '@switchyard/contracts';
import { advance } from './turn-reducer';
import { closingFrames, turnResult } from './turn-outcome';
import { newTurnState, type ToolCall, type TurnFacts } from './turn-state';
import type { Update } from './turn-update';

const FACTS: TurnFacts = {
  turnId: 't',
  sessionId: 's',
  agentId: 'a',
  agentName: 'Agent',
  kind: 'execute',
  maxSteps: 5,
  askMode: false,
  canAsk: true,
  hasKnowledge: true,
  structured: false,
};
const CALLS: ToolCall[] = [
  { id: 'c1', name: 'query_dataset', arguments: { a: 1 }, source: 'builtin', action: false },
  { id: 'c2', name: 'files__write', arguments: {}, source: 'mcp', action: true },
  { id: 'c3', name: 'ask_user', arguments: {}, source: 'builtin', action: false },
];
const USAGE = { promptTokens: 3, completionTokens: 4, cost: 0 };

/** A turn in which everything happens. */
function richTurn(): string[] {
  const writer = new TurnFrameWriter();
  const lines: string[] = [];
  let state = newTurnState('m');
  const updates: Update[] = [
    { type: 'begin' },
    { type: 'retrieved', items: [{ dataset_id: 'd', record_id: 'r', score: 1, text: 'x', fields: {} }] },
    { type: 'model-called', messageId: 'm1' },
    { type: 'reasoning', text: 'Three ' },
    { type: 'reasoning', text: 'things' },
    { type: 'delta', text: 'Let me see' },
    { type: 'reasoning', text: 'more' },
    { type: 'model-finished', toolCalls: CALLS, usage: USAGE, finishReason: 'tool_calls', model: 'm' },
    { type: 'tools-started', at: 1 },
    { type: 'tool-settled', callId: 'c1', outcome: { status: 'succeeded', output: [1] }, at: 2 },
    { type: 'tool-settled', callId: 'c2', outcome: { status: 'failed', code: 'X', message: 'y' }, at: 2 },
    { type: 'asked', interaction: { id: 'i', kind: 'single_choice' } },
    { type: 'answered', callId: 'c3', output: {}, interaction: { id: 'i' }, at: 3 },
    { type: 'taken-over', fromSeq: 4, at: 4 },
    { type: 'model-called', messageId: 'm2' },
    { type: 'delta', text: 'Done' },
    { type: 'model-finished', toolCalls: [], usage: USAGE, finishReason: 'stop', model: 'm' },
  ];
  for (const update of updates) {
    const step = advance(FACTS, state, update);
    state = step.state;
    for (const frame of step.frames) lines.push(writer.write(frame, 1_700_000_000_000));
    if (update.type === 'delta')
      lines.push(writer.writeDelta(PRODUCT_EVENTS.contentDelta, update.text, 'm1', 1_700_000_000_000));
  }
  for (const frame of closingFrames(FACTS, turnResult(FACTS, state, 10), null))
    lines.push(writer.write(frame, 1_700_000_000_000));
  return lines;
}

/**
 * The published types are the schema: what they refuse, their typed clients could not read. The product events on
 * `custom:service` are of a channel of our own, whose data the protocol leaves open.
 */
function typeErrors(lines: string[]): string[] {
  // Beside the libraries that it imports, and not in the sources, which other tests read.
  const cache = join(__dirname, '../../../../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'protocol-'));
  try {
    const file = join(folder, 'frames.ts');
    const checks = lines.map((line) => {
      const { method } = JSON.parse(line) as { method: string };
      return `${method === 'input' ? 'input' : method === 'custom:service' ? 'custom' : 'event'}(${line});`;
    });
    writeFileSync(
      file,
      `import type { Event, InputRequestedData } from '@langchain/protocol';
type Carried<Method extends string, Data> = { type: 'event'; method: Method; params: { namespace: string[]; timestamp: number; data: Data }; seq: number };
function event<T extends Event>(frame: T): T { return frame; }
function input<T extends Carried<'input', InputRequestedData>>(frame: T): T { return frame; }
function custom<T extends Carried<'custom:service', { event: string }>>(frame: T): T { return frame; }
${checks.join('\n')}
`,
    );
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      lib: ['lib.es2023.d.ts'],
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the frames of a rich turn', () => {
  const lines = richTurn();

  it('are numbered from 1 without a gap, the number last', () => {
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(lines.map((_, at) => at + 1));
    for (const line of lines) expect(line).toMatch(/,"seq":\d+}$/);
  });

  it('are what the public streaming protocol says', () => {
    expect(typeErrors(lines)).toEqual([]);
  }, 60_000);

  it('would not be, if a field were wrong', () => {
    const broken = lines.map((line) =>
      line.replace('"tool_call_id":"c1"', '"tool_call_id":7').replace('"event":"running"', '"event":"walking"'),
    );
    expect(typeErrors(broken).length).toBeGreaterThan(1);
  }, 60_000);
});
