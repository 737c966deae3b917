import { existsSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '../launcher/service-names';
import { projectRoot } from '../launcher/project-root';
import { parseTestOptions } from './test-options';
import { DAILY_FAULTS, NIGHTLY_E2E, filesOf } from './suites';

test('every listed file exists', () => {
  expect([...DAILY_FAULTS, ...NIGHTLY_E2E].filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
});

test('every service is killed in npm test', () => {
  const killed = (name: string): boolean => DAILY_FAULTS.some((file) => file.startsWith(`apps/${name}/`));
  expect(SERVICES.filter((name) => !killed(name))).toEqual([]);
});

test('a file that is in no list runs once: daily, or nightly if it kills', () => {
  const pattern = ([, first]: string[]): RegExp => new RegExp(first ?? '', 'u');
  expect(filesOf('daily', 'faults')).toEqual(['--runTestsByPath', ...DAILY_FAULTS]);
  expect(filesOf('nightly', 'e2e')).toEqual(['--runTestsByPath', ...NIGHTLY_E2E]);
  expect(pattern(filesOf('daily', 'e2e')).test(path.join(projectRoot, NIGHTLY_E2E[0] ?? ''))).toBe(true);
  expect(pattern(filesOf('nightly', 'faults')).test(path.join(projectRoot, DAILY_FAULTS[0] ?? ''))).toBe(true);
  expect(
    pattern(filesOf('nightly', 'faults')).test(path.join(projectRoot, 'apps/agent/test/replicas.faults-spec.ts')),
  ).toBe(false);
});

test('arguments choose the suite', () => {
  expect(parseTestOptions([]).suite).toBe('daily');
  expect(parseTestOptions(['--nightly'])).toMatchObject({ suite: 'nightly', platforms: 4, jestArgs: [] });
  expect(parseTestOptions(['--write-api-coverage'])).toMatchObject({ suite: 'whole', writesApiCoverage: true });
  expect(parseTestOptions(['apps/key'])).toMatchObject({ suite: 'named', platforms: 1, jestArgs: ['apps/key'] });
});
