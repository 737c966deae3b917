import { DatabaseSilenceDetector } from './database-silence-detector';

const ms = { lateMs: 15, leaseMs: 30 };

/** Answers at these times. */
function answeredAt(...times: number[]): DatabaseSilenceDetector {
  const databaseSilenceDetector = new DatabaseSilenceDetector(ms);
  for (const at of times) databaseSilenceDetector.answered(at);
  return databaseSilenceDetector;
}

describe('the silence of another process', () => {
  it('counts once the database has answered in time for as long as a lease', () => {
    expect(new DatabaseSilenceDetector(ms).mayCount(1_000)).toBe(false);
    expect(answeredAt(0, 10, 20).mayCount(29)).toBe(false);
    expect(answeredAt(0, 10, 20).mayCount(30)).toBe(true);
  });

  it('counts for nothing while an answer is overdue, and until a lease has passed since it came', () => {
    const databaseSilenceDetector = answeredAt(0, 10, 20, 30);
    expect(databaseSilenceDetector.mayCount(45)).toBe(true);
    expect(databaseSilenceDetector.mayCount(46)).toBe(false);
    databaseSilenceDetector.answered(60);
    for (const at of [70, 80]) databaseSilenceDetector.answered(at);
    expect(databaseSilenceDetector.mayCount(89)).toBe(false);
    expect(databaseSilenceDetector.mayCount(90)).toBe(true);
  });
});
