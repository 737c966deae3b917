export interface ScaleReport {
  name: string;
  count: number;
  /** What it cost, by name, in words that a table can show. */
  figures: Record<string, number | string>;
  broken: string[];
}
