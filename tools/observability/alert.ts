export interface Alert {
  name: string;
  expr: string;
  for: string;
  severity: 'page' | 'ticket';
  summary: string;
}
