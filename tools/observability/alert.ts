export interface Alert {
  name: string;
  expr: string;
  for: string;
  severity: 'page' | 'ticket';
  summary: string;
  /** The heading of docs/operate/operations.md that says what to do. */
  runbook: string;
}
