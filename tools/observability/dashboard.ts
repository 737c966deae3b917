export type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'ops';

export interface Query {
  expr: string;
  legend: string;
}

export interface PanelPlan {
  title: string;
  unit: Unit;
  kind?: 'timeseries' | 'stat';
  queries: Query[];
  description?: string;
}

export interface DashboardPlan {
  uid: string;
  title: string;
  rows: { title: string; panels: PanelPlan[] }[];
}

const SOURCE = { type: 'prometheus', uid: '${source}' };
const COLUMNS = 24;
const HEIGHT = 8;

const CHOSEN = 'namespace=~"$namespace",service=~"$service",pod=~"$pod"';
const METRIC = /\b((?:switchyard|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;

/** A query of those processes alone that the variables of the dashboard choose. */
const scoped = (expr: string): string =>
  expr.replaceAll(METRIC, (_all, metric: string, labels?: string) =>
    labels === undefined ? `${metric}{${CHOSEN}}` : `${metric}{${labels},${CHOSEN}}`,
  );

/** A variable with the values that a label has. `All` takes series without the label as well. */
const variable = (name: string, label: string, among: string): object => ({
  name,
  label,
  type: 'query',
  datasource: SOURCE,
  query: { query: `label_values(process_start_time_seconds{job="switchyard"${among}}, ${name})`, refId: name },
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
  hide: 0,
});

const targetsOf = ({ queries }: PanelPlan): object[] =>
  queries.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode(65 + index),
    datasource: SOURCE,
    expr: scoped(expr),
    legendFormat: legend,
  }));

/** A dashboard in the form that Grafana reads. Panels of a row share its width. */
export function dashboard({ uid, title, rows }: DashboardPlan): object {
  const panels: object[] = [];
  let y = 0;
  let id = 1;
  for (const row of rows) {
    panels.push({
      id: id++,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
      panels: [],
    });
    const width = Math.floor(COLUMNS / row.panels.length);
    row.panels.forEach((panel, index) => {
      panels.push({
        id: id++,
        type: panel.kind ?? 'timeseries',
        title: panel.title,
        ...(panel.description ? { description: panel.description } : {}),
        datasource: SOURCE,
        gridPos: { x: index * width, y, w: width, h: HEIGHT },
        fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
        options:
          panel.kind === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { displayMode: 'list' } },
        targets: targetsOf(panel),
      });
    });
    y += HEIGHT;
  }
  return {
    uid,
    title,
    tags: ['switchyard'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 },
        variable('namespace', 'Namespace', ''),
        variable('service', 'Service', ',namespace=~"$namespace"'),
        variable('pod', 'Pod', ',namespace=~"$namespace",service=~"$service"'),
      ],
    },
    annotations: { list: [] },
    panels,
  };
}
