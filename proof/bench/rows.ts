import type { BenchRow } from './row';
import { announce } from './rows/announce';
import { busCall } from './rows/bus-call';
import { chat } from './rows/chat';
import { consoleScale } from './rows/console';
import { datasetRows } from './rows/datasets';
import { growthRows } from './rows/datasets-growth';
import { datasetsHttp } from './rows/datasets-http';
import { vectorRows } from './rows/datasets-vectors';
import { events } from './rows/events';
import { eventsGrowth } from './rows/events-growth';
import { executions } from './rows/executions';
import { gatewayNoOp } from './rows/gateway-no-op';
import { idle } from './rows/idle';
import { keyCheck } from './rows/key-check';
import { ledgerGrowth } from './rows/ledger-growth';
import { mcp } from './rows/mcp';
import { natsApi } from './rows/nats-api';
import { projections } from './rows/projections';
import { relay } from './rows/relay';
import { sessionsGrowth } from './rows/sessions-growth';
import { spacesGrowth } from './rows/spaces-growth';
import { start } from './rows/start';
import { ONE_SERVICE } from './shape';

const datasets: BenchRow = {
  name: 'datasets',
  shapes: ONE_SERVICE,
  run: ({ state, report }) =>
    datasetRows(state.databaseUrl, 100_000, (row) => {
      report(row.what);
    }),
};

const growth: BenchRow = {
  name: 'datasets-growth',
  shapes: ONE_SERVICE,
  run: ({ state, report }) => growthRows(state.databaseUrl, report),
};

const vectors: BenchRow = {
  name: 'vectors',
  shapes: ONE_SERVICE,
  run: ({ report }) => vectorRows(100_000, report),
};

export const rows: readonly BenchRow[] = [
  idle,
  busCall,
  gatewayNoOp,
  keyCheck,
  mcp,
  natsApi,
  announce,
  events,
  eventsGrowth,
  executions,
  spacesGrowth,
  sessionsGrowth,
  ledgerGrowth,
  datasets,
  growth,
  datasetsHttp,
  vectors,
  chat,
  consoleScale,
  projections,
  relay,
  start,
];
