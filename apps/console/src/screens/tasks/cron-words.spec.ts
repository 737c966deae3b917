/// <reference types="jest" />
import { cronInWords } from './cron-words';

describe('a schedule in words', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['0 * * * *', 'Every hour'],
    ['5 */2 * * *', 'Every 2 hours at minute 5'],
    ['30 9 * * *', 'At 09:30, every day'],
    ['0 9 * * 1-5', 'At 09:00, on Monday to Friday'],
    ['0 9 * * MON,WED', 'At 09:00, on Monday and Wednesday'],
    ['0 0 * * 7', 'At 00:00, on Sunday'],
    ['0 8,20 1 * *', 'At 08:00 and 20:00, on the 1st of the month'],
    ['0 8 2,23 JAN *', 'At 08:00, on the 2nd and the 23rd of the month, in January'],
    ['*/5 * * * 1-5', 'Every 5 minutes, on Monday to Friday'],
    ['0 8 1 * 1', 'At 08:00, on the 1st of the month, and on every Monday'],
  ])('reads %s', (cron, words) => {
    expect(cronInWords(cron)).toBe(words);
  });

  it.each(['', '0 9 * *', '0 9 * * 1 2', '0 9 * * 1#2', '0 99 * * *', '0 9 32 * *', '0-10 9 * * *', '0 9 * 13 *'])(
    'says nothing about what it cannot read: %s',
    (cron) => {
      expect(cronInWords(cron)).toBeNull();
    },
  );
});
