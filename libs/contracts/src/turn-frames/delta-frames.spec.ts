import fc from 'fast-check';
import { readDeltaFrame, writeDeltaFrame } from './delta-frames';

const frame = (delta: string) =>
  ({ event: 'content-delta', delta, messageId: '0199', timestamp: 1_800_000_000_000, seq: 12 }) as const;

function fieldsOf(text: string) {
  const read = readDeltaFrame(text);
  if (!read) return null;
  const { event, delta, messageId, timestamp, timestampText, seq, escaped } = read;
  const ofOthers = [`${messageId}x`, messageId.slice(1), undefined].filter((id) => read.isOf(id));
  expect([read.isOf(messageId), ofOthers]).toEqual([true, []]);
  expect(timestampText).toBe(String(timestamp));
  return { event, delta, messageId, timestamp, seq, json: `"${escaped}"` };
}

describe('a delta as a frame', () => {
  it.each(['word ', '', '"', '\\', '","message_id":"x"}},"seq":1}', '\n\t\u0000', '\u2028é東\u{1f600}', '\ud800'])(
    'is JSON, and read without parsing it: %j',
    (delta) => {
      const text = writeDeltaFrame(frame(delta));
      expect(JSON.parse(text)).toEqual({
        type: 'event',
        method: 'custom:service',
        params: {
          namespace: [],
          timestamp: 1_800_000_000_000,
          data: { event: 'content-delta', delta, message_id: '0199' },
        },
        seq: 12,
      });
      expect(fieldsOf(text)).toEqual({ ...frame(delta), json: JSON.stringify(delta) });
    },
  );

  it('reads every text as it was written', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('content-delta', 'reasoning-delta'),
        fc.nat(),
        (delta, event, seq) => {
          const written = { ...frame(delta), event, seq } as const;
          expect(fieldsOf(writeDeltaFrame(written))).toEqual({ ...written, json: JSON.stringify(delta) });
        },
      ),
    );
  });

  it.each([
    '{"type":"event","method":"messages","params":{"namespace":[],"timestamp":1,"data":{"event":"message-start"}},"seq":2}',
    '{"type":"event","method":"custom:service","params":{"namespace":[],"timestamp":1,"data":{"event":"tool-execution"}},"seq":2}',
    '{"type":"event","method":"custom:service","params":{"namespace":[],"timestamp":1,"data":{"event":"content-delta","message_id":"a","delta":"b"}},"seq":2}',
    '{"answer":"","seq":0}',
    '',
  ])('is not taken for another frame, or one that was written in another way: %s', (text) => {
    expect(readDeltaFrame(text)).toBeNull();
  });
});
