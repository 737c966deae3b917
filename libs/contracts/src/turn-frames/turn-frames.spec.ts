import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDeltaFrame } from './delta-frames';
import { dottedName } from './event-display-names';
import { parseFrame } from './frame-envelope';
import { type EveryProductEvent, handleFrame, isFrame, kindOfFrame } from './frame-handlers';
import { PRODUCT_EVENTS } from './product-events';
import { endsStream, productFieldsOf, readTurnFrame, readTurnFrames } from './read-frames';
import type { TurnFrame } from './turn-frame';
import { productFrame, TurnFrameWriter, toolFinishedFrame } from './write-frames';

/** One frame of each kind, recorded before there was a common writer. */
const RECORDED = readFileSync(join(__dirname, 'recorded-frames.txt'), 'utf8').trimEnd().split('\n');

const readFrom = (text: string): TurnFrame => {
  const frame = readTurnFrame(text);
  if (!frame) throw new Error(`no frame: ${text}`);
  return frame;
};

/** The writer sets timestamp and number. */
const writtenAgain = (frame: TurnFrame): string => {
  const writer = new TurnFrameWriter(frame.seq - 1);
  const { timestamp } = frame;
  if (isFrame(frame, 'contentDelta') || isFrame(frame, 'reasoningDelta')) {
    const { event, delta, message_id: messageId } = frame.data;
    return writer.writeDelta(event, delta, messageId, timestamp);
  }
  return writer.write(frame, timestamp);
};

const finished = (output: unknown): string => new TurnFrameWriter(6).write(toolFinishedFrame('c', output), 1);
const ended = new TurnFrameWriter(7).write(productFrame('streamEnded', { status: 'COMPLETED' }), 1);

describe('frames of a turn', () => {
  it('are written again with the same bytes as they were recorded', () => {
    expect(RECORDED.length).toBeGreaterThan(60);
    expect(RECORDED.map((text) => writtenAgain(readFrom(text)))).toEqual(RECORDED);
  });

  it('have a kind each, and the recorded turn has every kind', () => {
    const kinds = new Set(RECORDED.map((text) => kindOfFrame(readFrom(text))));
    const others = ['lifecycle', 'messageStart', 'blockStart', 'blockFinish', 'messageFinish', 'inputRequested'];
    const tools = ['toolStarted', 'toolFinished', 'toolFailed'];
    expect([...kinds].sort()).toEqual([...Object.keys(PRODUCT_EVENTS), ...others, ...tools].sort());
  });

  it('are read as the deltas that they are', () => {
    const delta = RECORDED.find((text) => readDeltaFrame(text)) ?? '';
    expect(readDeltaFrame(` ${delta}`)).toBeNull();
    expect(readTurnFrame(` ${delta}`)).toEqual(readTurnFrame(delta));
  });

  it.each([
    'null',
    '{"data":{},"seq":0}',
    '{"type":"event","method":"other","params":{"timestamp":1,"data":{}},"seq":1}',
    '{"type":"event","method":"tools","params":{"timestamp":1,"data":null},"seq":1}',
    '{"type":"event","method":"tools","params":{"timestamp":1,"data":{}},"seq":"1"}',
  ])('are not found in other JSON: %s', (text) => {
    expect([parseFrame(text), readTurnFrame(text), endsStream(text)]).toEqual([null, null, false]);
    expect(readTurnFrames(`${ended}\n${text}`)).toEqual([readTurnFrame(ended)]);
  });

  it('are not found in text that is not JSON, which is an error between services', () => {
    expect([parseFrame('{"seq":1'), endsStream('{"seq":1'), readTurnFrames('')]).toEqual([null, false, []]);
    expect(() => readTurnFrame('{"seq":1')).toThrow(SyntaxError);
  });

  it('end a stream with the last one of them', () => {
    expect(endsStream(ended)).toBe(true);
    expect(endsStream(`${finished(1)}\n${ended}`)).toBe(true);
    expect(endsStream(`${ended}\n${finished(1)}`)).toBe(false);
    expect(endsStream(finished({ event: 'stream-ended' }))).toBe(false);
    const execution = { tool_call_id: 'c', name: 'n', source: 'mcp', status: 'succeeded', arguments: {} } as const;
    const body = productFrame('toolExecution', { ...execution, result: { event: 'stream-ended' } });
    expect(endsStream(new TurnFrameWriter().write(body, 1))).toBe(false);
    expect(endsStream(undefined)).toBe(false);
  });

  it('give the fields of one event', () => {
    expect(productFieldsOf(ended, 'streamEnded')).toMatchObject({ status: 'COMPLETED' });
    expect(productFieldsOf(ended, 'stepRestarted')).toBeNull();
  });

  it('go to the handler of their kind; an event of a later version goes to none', () => {
    const handled = RECORDED.flatMap(
      (text) =>
        handleFrame<string>(readFrom(text), {
          streamEnded: ({ status }, { seq }) => `${seq} ${status}`,
          stepRestarted: (data) => `from ${data.from_seq}`,
          contentDelta: null,
        }) ?? [],
    );
    expect(handled.slice(0, 3)).toEqual(['39 WAITING_INPUT', 'from 4', 'from 40']);
    const later = readFrom(ended.replace('stream-ended', 'constructor'));
    expect(later.data).toMatchObject({ event: 'constructor' });
    expect([kindOfFrame(later), handleFrame(later, {})]).toEqual([undefined, undefined]);
  });

  it('have the names of the documents in the client library', () => {
    expect(Object.values(PRODUCT_EVENTS).map(dottedName).join(' ')).toBe(
      'session.started content.delta reasoning.delta tool.execution knowledge.evidence agent.input.required ' +
        'local.tool.call context.usage response.completed turn.persist_pending step.restarted error.occurred stream.ended',
    );
  });

  it('need a handler or null each where all of them matter', () => {
    const ignored = Object.fromEntries(Object.keys(PRODUCT_EVENTS).map((key) => [key, null]));
    const { streamEnded, ...rest } = ignored as unknown as EveryProductEvent;
    // @ts-expect-error -- one event is missing
    const incomplete: EveryProductEvent = rest;
    expect([streamEnded, Object.keys(incomplete).length]).toEqual([null, Object.keys(PRODUCT_EVENTS).length - 1]);
  });
});
