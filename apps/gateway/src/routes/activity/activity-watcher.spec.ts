import type { ActivityRow, Ctx } from '@switchyard/contracts';
import { ActivityWatcher } from './activity-watcher';

const ctx = { role: 'MEMBER', userId: 'u1', scopes: ['*'] } as unknown as Ctx;
const row = (id: string, changes: Partial<ActivityRow> = {}): ActivityRow =>
  ({ kind: 'execution', id, status: 'RUNNING', userId: null, ...changes }) as ActivityRow;

class SlowWriter {
  readonly texts: string[] = [];
  isOpen = true;
  private release: (isOpen: boolean) => void = () => undefined;

  write(text: string): Promise<boolean> {
    this.texts.push(text);
    return new Promise((resolve) => (this.release = resolve));
  }

  end(text = ''): void {
    this.texts.push(text);
    this.isOpen = false;
  }

  async drain(): Promise<void> {
    this.release(true);
    await new Promise(setImmediate);
  }
}

describe('a reader of the activity that does not keep up', () => {
  it('finds the last state of each row when it reads on', async () => {
    const writer = new SlowWriter();
    const watcher = new ActivityWatcher(ctx, {}, writer);
    watcher.offer([row('a')]);
    for (let turn = 0; turn < 100; turn += 1)
      watcher.offer([row('b', { name: String(turn) }), row('a', { status: 'FAILED' })]);
    expect(writer.texts).toHaveLength(1);
    await writer.drain();
    expect(writer.texts).toHaveLength(2);
    expect(
      writer.texts[1]?.match(/^data: .*$/gm)?.map((line) => JSON.parse(line.slice(6)) as ActivityRow),
    ).toMatchObject([
      { id: 'b', name: '99' },
      { id: 'a', status: 'FAILED' },
    ]);
  });

  it('is let go when more rows wait than a stream holds', () => {
    const writer = new SlowWriter();
    const watcher = new ActivityWatcher(ctx, {}, writer);
    watcher.offer([row('first')]);
    for (let n = 0; n <= 2001; n += 1) watcher.offer([row(String(n))]);
    expect(writer.isOpen).toBe(false);
    expect(writer.texts.at(-1)).toMatch(/^: TOO_SLOW /);
  });
});

describe('a reader of the activity', () => {
  it.each([
    [{}, row('a'), true],
    [{ kind: ['turn' as const] }, row('a'), false],
    [{ status: ['FAILED'] }, row('a'), false],
    [{ userId: 'u2' }, row('a', { userId: 'u1' }), false],
    [{}, row('a', { kind: 'turn', userId: 'u1' }), true],
    [{}, row('a', { kind: 'turn', userId: 'u2' }), false],
  ])('with the filter %j is told of %j: %s', (expected, changed, isSent) => {
    const writer = new SlowWriter();
    new ActivityWatcher(ctx, expected, writer).offer([changed]);
    expect(writer.texts).toHaveLength(isSent ? 1 : 0);
  });
});
