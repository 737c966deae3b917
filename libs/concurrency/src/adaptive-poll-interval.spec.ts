import { AdaptivePollInterval } from './adaptive-poll-interval';

describe('the pause of an idle loop', () => {
  let watching: number;
  let pause: AdaptivePollInterval;

  beforeEach(() => {
    jest.useFakeTimers();
    watching = 0;
    pause = new AdaptivePollInterval(1_000, {
      watch: () => {
        watching += 1;
        return () => {
          watching -= 1;
        };
      },
    });
    for (let looks = 0; looks < 10; looks += 1) pause.looked(false);
  });

  afterEach(() => jest.useRealTimers());

  const begin = (): { isOver: boolean } => {
    const state = { isOver: false };
    void pause.wait().then(() => (state.isOver = true));
    return state;
  };

  it('is long, and becomes short when there may be work soon', async () => {
    const rest = begin();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(rest.isOver).toBe(false);
    pause.resetBackoff();
    await jest.advanceTimersByTimeAsync(1_500);
    expect(rest.isOver).toBe(true);
    expect(watching).toBe(0);
  });

  it('is not made longer by further work', async () => {
    const rest = begin();
    for (let at = 0; at < 10; at += 1) {
      pause.resetBackoff();
      await jest.advanceTimersByTimeAsync(200);
    }
    expect(rest.isOver).toBe(true);
  });

  it('ends at once when it is woken', async () => {
    const rest = begin();
    pause.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(rest.isOver).toBe(true);
    expect(watching).toBe(0);
  });
});
