import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { project, type Projection, sseOf } from './protocol-projection';

const frame = (seq: number, event = PRODUCT_EVENTS.contentDelta): string =>
  JSON.stringify({
    type: 'event',
    method: 'custom:service',
    params: { namespace: [], timestamp: 5, data: { event } },
    seq,
  });

class Two implements Projection {
  private read_ = 0;
  get isOver(): boolean {
    return this.read_ === 2;
  }
  read({ seq }: { seq: number }): { data: object }[] {
    this.read_ += 1;
    return [{ data: { seq } }];
  }
}

describe('frames on their way into another protocol', () => {
  it('are read as they travel: several in a text, beside texts that are no frames', () => {
    const texts = ['', '{"data":{},"seq":0}', `${frame(1)}\n${frame(2)}`];
    expect(project(new Two(), texts)).toEqual([{ data: { seq: 1 } }, { data: { seq: 2 } }]);
  });

  it('are read no further than the answer of the protocol goes', () => {
    const projection = new Two();
    expect(project(projection, [frame(1), `${frame(2)}\n${frame(3)}`])).toEqual([
      { data: { seq: 1 } },
      { data: { seq: 2 } },
    ]);
    expect(project(projection, [frame(4)])).toEqual([]);
  });

  it('leave as server-sent events', () => {
    expect(sseOf([{ event: 'a', id: '7', data: { b: 'c\nd' } }, { data: '[DONE]' }])).toBe(
      'id: 7\nevent: a\ndata: {"b":"c\\nd"}\n\ndata: [DONE]\n\n',
    );
  });
});
