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

const targetsOf = ({ queries }: PanelPlan): object[] =>
  queries.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode(65 + index),
    datasource: SOURCE,
    expr,
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
      list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 }],
    },
    annotations: { list: [] },
    panels,
  };
}
