export interface ScaleReport {
  name: string;
  count: number;
  /** Costs by name, formatted for a table. */
  figures: Record<string, number | string>;
  broken: string[];
}
