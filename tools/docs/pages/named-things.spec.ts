import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { ERROR_STATUS } from '@switchyard/kernel';
import { projectRoot } from '../../launcher/project-root';
import { declaredMetrics } from '../../observability/declared-metrics';
import { allVariables } from '../configuration';
import { machineUsages } from '../../operator/account-commands';
import { routeUsages } from '../../operator/route-commands';
import { documents, textOf } from './documents';

/** Records and the glossary of changes name what existed when they were written. */
const current = documents.filter((document) => !/\/decisions\/|\/evidence\//.test(document));

const matrix = readFileSync(path.join(projectRoot, 'apps/gateway/test/access-matrix.txt'), 'utf8');
const routes = new Set([...matrix.matchAll(/^([A-Z]+ \/\S+)/gm)].map(([, route = '']) => shapeOf(route)));
const metrics = new Set(declaredMetrics(projectRoot).map(({ name }) => name));
/** Written by the command that makes a backup. */
const METRICS_OF_OTHERS = new Set(['switchyard_backup_last_success_timestamp_seconds']);
const codes = new Set<string>(Object.keys(ERROR_STATUS));
const settings = new Set(allVariables().map(({ name }) => name));

function shapeOf(route: string): string {
  return route.replace(/[?#].*$/, '').replaceAll(/\{[^}]*\}/g, '{}');
}

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

const unknown = (isThere: (name: string) => boolean, names: (code: string) => string[]): string[] =>
  current.flatMap((document) =>
    codeIn(textOf(document))
      .flatMap(names)
      .filter((name) => !isThere(name))
      .map((name) => `${document}: ${name}`),
  );

test('each metric that a page names exists', () => {
  const isThere = (name: string): boolean =>
    metrics.has(name) ||
    METRICS_OF_OTHERS.has(name) ||
    name === 'switchyard_console' ||
    [...metrics].some((metric) => name === `${metric}_bucket` || name === `${metric}_count`);
  expect(unknown(isThere, (code) => code.match(/\bswitchyard_[a-z_]+[a-z]\b/g) ?? [])).toEqual([]);
});

test('each route that a page names exists', () => {
  const isThere = (route: string): boolean => routes.has(shapeOf(route));
  expect(unknown(isThere, (code) => code.match(/^(?:GET|POST|PUT|PATCH|DELETE) \/api\/\S+/) ?? [])).toEqual([]);
});

/** Of Node, Compose, OpenTelemetry, vLLM, TLS, the clients' protocols, the first start, and states that look like settings. */
const OF_OTHERS =
  /^(?:OTEL_|NODE_|VLLM_|ERR_TLS_|SERVER_OPT_|SYNC_|ENDPOINT_UNREADABLE$|BOOTSTRAP_|POSTGRES_|NATS_MIGRATION_|NATS_SERVICES_|NATS_API_PORT$|SECOND_GATEWAY_PORT$|PUBLIC_KEY|SECRET_KEY|SWITCHYARD_(?:HOME|KEY|PROCESSES|URL)$|DATABASE_(?:ADMIN|LOGINS)|[A-Z_]*_API_KEY$)/;

/** Removed settings, which the notes of an upgrade name. */
const REMOVED = new Set(
  ['RELAY_OPEN_PATHS', 'BUS_UNBOUND_SEALS_UNTIL', 'BUS_PLAIN_SECRETS_UNTIL'].flatMap((name) =>
    ['upgrade', 'upgrade-to-first-release'].map((page) => `docs/operate/${page}.md: ${name}`),
  ),
);

test('each setting that a page for operators names exists', () => {
  const isThere = (name: string): boolean =>
    settings.has(name) || settings.has(name.replace(/_FILE$/, '')) || OF_OTHERS.test(name) || codes.has(name);
  const names = (code: string): string[] => code.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
  const missing = unknown(isThere, names).filter((found) => found.startsWith('docs/operate/'));
  expect(missing.filter((found) => !REMOVED.has(found))).toEqual([]);
});

test('the page of errors has a row for each code, with its status', () => {
  const rows = [...textOf('docs/reference/errors.md').matchAll(/^\| (\d{3}) +\| `([A-Z_]+)` +\| /gm)];
  expect(Object.fromEntries(rows.map(([, status, code = '']) => [code, Number(status)]))).toEqual(ERROR_STATUS);
});

test('the page of commands has a row for each command of operators', () => {
  const rows = [...textOf('docs/reference/cli.md').matchAll(/^\| `([a-z][^`]*)` +\| /gm)].map(([, usage]) => usage);
  const usages = [...routeUsages.map((usage) => usage.replace(/ \[.*$/, '')), ...machineUsages];
  expect(usages.filter((usage) => !rows.includes(usage))).toEqual([]);
});

test('the page of frames has a row for each product event', () => {
  const rows = [...textOf('docs/reference/frames.md').matchAll(/^\| `([a-z-]+)` +\| /gm)].map(([, name]) => name);
  expect(Object.values(PRODUCT_EVENTS).filter((name) => !rows.includes(name))).toEqual([]);
});
