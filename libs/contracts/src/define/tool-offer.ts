/** The tool by which clients of MCP use an operation, where it is nothing but the call: the gateway makes it from this. */
export interface ToolOffer {
  name: string;
  title: string;
  /** What a model reads before it uses the tool. */
  description: string;
  readOnly?: true;
  destructive?: true;
  /** A second use with the same arguments changes nothing more; what only reads need not say so. */
  idempotent?: true;
}
