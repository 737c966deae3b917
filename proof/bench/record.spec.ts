import { type BenchMeasured, type BenchRecord, type BenchRun, behind, missing, recorded } from './record';

const row = (fields: Partial<BenchMeasured>): BenchMeasured => ({
  bench: 'relay',
  what: 'answers',
  beside: 'directly',
  ours: 10,
  theirs: 100,
  unit: 'req/s',
  ratio: 0.1,
  target: '>= 0.25',
  met: false,
  ...fields,
});

const calibration = { insertUs: 200, callUs: 300 };
const run = (commit: string): BenchRun => ({ commit, shape: 'services', node: 'v24.0.0', calibration });
const now = run('now');

const record: BenchRecord = {
  'answers | directly': {
    bench: 'relay',
    commit: 'abc',
    ratio: 0.1,
    ours: 10,
    theirs: 100,
    unit: 'req/s',
    target: '>= 0.25',
    met: false,
    cpu: { relay: 400, gateway: 200 },
  },
};

describe('a check against the record', () => {
  it.each([
    ['>= 0.25', 0.086, false],
    ['>= 0.25', 0.084, true],
    ['>= 0.25', 0.3, false],
    ['<= 3', 0.114, false],
    ['<= 3', 0.116, true],
    ['+1 ms', 0.01, false],
  ])('of a row with the target %s that stood at 0.1 finds %d behind: %p', (target, ratio, isBehind) => {
    expect(behind(record, [row({ target, ratio })], now)).toHaveLength(isBehind ? 1 : 0);
  });

  it('tells the ratios, the commit of the record and the processor time', () => {
    expect(behind(record, [row({ ratio: 0.05, cpu: { relay: 900 } })], now)).toEqual([
      'answers | directly: 0.050 after 0.1 (abc); 900 us of CPU after 600',
    ]);
  });

  it('does not judge a row that was never recorded, and judges one that stands alone by its own figure', () => {
    expect(behind({}, [row({ ratio: 0 })], now)).toEqual([]);
    const alone = row({ beside: '-', theirs: NaN, ratio: NaN, ours: 20, target: '<= 20 us' });
    const existing = recorded({}, [{ ...alone, ours: 10 }], run('abc'));
    expect(behind(existing, [alone], now)).toHaveLength(1);
  });

  it('reads what was recorded, and leaves other rows as they are', () => {
    const next = recorded(record, [row({ what: 'bytes', ratio: 0.45678, cpu: { relay: 123.456 } })], run('def'));
    expect(next).toEqual({
      ...record,
      'bytes | directly': {
        ...record['answers | directly'],
        shape: 'services',
        commit: 'def',
        ratio: 0.457,
        cpu: { relay: 123 },
        node: 'v24.0.0',
        calibration,
      },
    });
  });

  it('names the Node of both sides if they differ', () => {
    const [only] = Object.values(recorded({}, [row({ theirNode: 'v24.1.0' })], run('abc')));
    expect(only?.node).toBe('v24.0.0 beside v24.1.0');
  });

  it('refuses to compare figures of machines of another speed', () => {
    const existing = recorded({}, [row({})], run('abc'));
    const slower = { ...calibration, insertUs: 400 };
    expect(behind(existing, [row({})], { ...now, calibration: slower })).toEqual([
      'answers | directly: not compared, it was recorded on a machine of another speed (abc)',
    ]);
    expect(behind(existing, [row({})], { ...now, calibration: { ...calibration, callUs: 310 } })).toEqual([]);
  });

  it('misses what stands in the record of a bench and was not measured', () => {
    const shape = 'services';
    expect(missing(record, [row({})], { benches: ['relay'], shape })).toEqual([]);
    expect(missing(record, [], { benches: ['chat'], shape })).toEqual([]);
    expect(missing(record, [row({ what: 'bytes' })], { benches: ['chat', 'relay'], shape })).toEqual([
      'answers | directly: not measured',
    ]);
  });

  it('compares, and misses, only rows of the same shape', () => {
    expect(behind(record, [row({ ratio: 0 })], { ...now, shape: 'hosts' })).toEqual([
      'answers | directly: not compared, it was recorded in the shape services (abc)',
    ]);
    expect(missing(record, [], { benches: ['relay'], shape: 'hosts' })).toEqual([]);
  });
});
