import { Silence } from './silence';

const ms = { lateMs: 15, leaseMs: 30 };

/** Answers at these times. */
function answeredAt(...times: number[]): Silence {
  const silence = new Silence(ms);
  for (const at of times) silence.answered(at);
  return silence;
}

describe('the silence of another process', () => {
  it('counts once the database has answered in time for as long as a lease', () => {
    expect(new Silence(ms).mayCount(1_000)).toBe(false);
    expect(answeredAt(0, 10, 20).mayCount(29)).toBe(false);
    expect(answeredAt(0, 10, 20).mayCount(30)).toBe(true);
  });

  it('counts for nothing while an answer is overdue, and until a lease has passed since it came', () => {
    const silence = answeredAt(0, 10, 20, 30);
    expect(silence.mayCount(45)).toBe(true);
    expect(silence.mayCount(46)).toBe(false);
    silence.answered(60);
    for (const at of [70, 80]) silence.answered(at);
    expect(silence.mayCount(89)).toBe(false);
    expect(silence.mayCount(90)).toBe(true);
  });
});
