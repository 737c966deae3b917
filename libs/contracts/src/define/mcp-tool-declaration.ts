/** Declares an MCP tool that is only this call; the gateway generates it. */
export interface ToolOffer {
  name: string;
  title: string;
  /** Read by the model before it uses the tool. */
  description: string;
  readOnly?: true;
  destructive?: true;
  /** Repeating the call with the same arguments has no further effect. Read-only tools need not set it. */
  idempotent?: true;
}
