import { FrameNumbering, product } from './frame';
import { endsStretch, productOf } from './product-of';

const frame = (body: Parameters<FrameNumbering['write']>[0]): string => new FrameNumbering(6).write(body, 1);

describe('a frame that is read by its shape', () => {
  it('gives what its product event says', () => {
    const call = product('local-tool-call', { call_id: 'c"1', name: 'pay' });
    expect(productOf(frame(call), 'local-tool-call')).toMatchObject({ call_id: 'c"1' });
    expect(productOf(frame(call), 'stream-ended')).toBeNull();
    expect(endsStretch(frame(product('stream-ended', { status: 'COMPLETED' })))).toBe(true);
  });

  it('is not taken for what a tool has answered in it', () => {
    const output = { event: 'stream-ended', call_id: 'c' };
    expect(endsStretch(frame({ method: 'tools', data: { event: 'tool-finished', output } }))).toBe(false);
    expect(endsStretch(frame(product('tool-execution', { output })))).toBe(false);
    expect(endsStretch(undefined)).toBe(false);
  });
});
