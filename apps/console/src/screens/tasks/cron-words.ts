const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const list = new Intl.ListFormat('en');
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinal = (day: number): string => `${day}${ENDINGS[ordinals.select(day)] ?? 'th'}`;

/** `1`, `1,3` and `1-5`; null for anything else. */
function valuesIn(field: string, nameOf: (value: number) => string | undefined, names: string[] = []): string | null {
  const numbered = field.replaceAll(/[A-Z]{3}/giu, (short) => {
    const index = names.findIndex((name) => name.toLowerCase().startsWith(short.toLowerCase()));
    return index === -1 ? short : String(index + (names === MONTHS ? 1 : 0));
  });
  const parts = numbered.split(',').map((part) => {
    const [, from, to] = /^(\d{1,2})(?:-(\d{1,2}))?$/u.exec(part) ?? [];
    if (from === undefined) return undefined;
    const first = nameOf(Number(from));
    if (to === undefined) return first;
    const last = nameOf(Number(to));
    return first === undefined || last === undefined ? undefined : `${first} to ${last}`;
  });
  return parts.includes(undefined) ? null : list.format(parts as string[]);
}

const stepOf = (field: string): number | null => {
  const [, step] = /^\*\/(\d{1,2})$/u.exec(field) ?? [];
  return step === undefined ? null : Number(step);
};

const isPlain = (field: string, most: number): boolean => /^\d{1,2}$/u.test(field) && Number(field) <= most;

function timeInWords(minute: string, hour: string): string | null {
  if (minute === '*' && hour === '*') return 'Every minute';
  const [minutes, hours] = [stepOf(minute), stepOf(hour)];
  if (minutes !== null && hour === '*') return `Every ${minutes} minutes`;
  if (!isPlain(minute, 59)) return null;
  if (hour === '*') return minute === '0' ? 'Every hour' : `Every hour at minute ${Number(minute)}`;
  if (hours !== null) return `Every ${hours} hours at minute ${Number(minute)}`;
  const times = hour
    .split(',')
    .map((one) => (isPlain(one, 23) ? `${one.padStart(2, '0')}:${minute.padStart(2, '0')}` : null));
  return times.includes(null) ? null : `At ${list.format(times as string[])}`;
}

function daysInWords(day: string, weekday: string): string | null {
  const days = day === '*' ? '' : valuesIn(day, (one) => (one >= 1 && one <= 31 ? `the ${ordinal(one)}` : undefined));
  const weekdays = weekday === '*' ? '' : valuesIn(weekday, (one) => WEEKDAYS[one === 7 ? 0 : one], WEEKDAYS);
  if (days === null || weekdays === null) return null;
  if (days !== '' && weekdays !== '') return `on ${days} of the month, and on every ${weekdays}`;
  if (days !== '') return `on ${days} of the month`;
  return weekdays === '' ? 'every day' : `on ${weekdays}`;
}

/** The common forms of a schedule as a sentence; null for the others, whose next times say it. */
export function cronInWords(cron: string): string | null {
  const [minute, hour, day, month, weekday, ...more] = cron.trim().split(/\s+/u);
  if (minute === undefined || hour === undefined || day === undefined || month === undefined) return null;
  if (weekday === undefined || more.length > 0) return null;
  const time = timeInWords(minute, hour);
  const days = daysInWords(day, weekday);
  const months = month === '*' ? '' : valuesIn(month, (one) => MONTHS[one - 1], MONTHS);
  if (time === null || days === null || months === null) return null;
  const isOften = time.startsWith('Every') && days === 'every day';
  return `${time}${isOften ? '' : `, ${days}`}${months === '' ? '' : `, in ${months}`}`;
}
