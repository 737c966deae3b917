import { ProcessFindings } from './process-findings';

const stalled = (wallMs: number, stacks: string[]): string =>
  JSON.stringify({ level: 40, time: '2026-01-01T00:00:00.000Z', eventLoopStall: { wallMs, cpuMs: wallMs, stacks } });

describe('the findings of a run', () => {
  it('are empty while processes log other things', () => {
    const findings = new ProcessFindings();
    findings.hear('task', '{"level":40,"msg":"a worker failed; it continues"}');
    findings.hear('task', 'not even JSON');
    expect(findings).toMatchObject({ isEmpty: true });
    expect(findings.lines()).toEqual([]);
  });

  it('name the process, the time and the places of a stall', () => {
    const findings = new ProcessFindings();
    findings.hear('relay', stalled(412, ['    at count (/dist/tokens.js:1:2)', '    at split (/dist/tokens.js:3:4)']));
    findings.overMemory({ name: 'agent', peakMi: 500, limitMi: 448 });
    expect(findings.isEmpty).toBe(false);
    expect(findings.lines()).toEqual([
      'STALL: relay held its event loop for 412 ms (412 ms of processor time) at 2026-01-01T00:00:00.000Z',
      '    at count (/dist/tokens.js:1:2)',
      '    or',
      '    at split (/dist/tokens.js:3:4)',
      'MEMORY: agent took 500 MiB, and its limit is 448 MiB',
    ]);
  });
});
