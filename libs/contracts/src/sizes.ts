const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * How large the things are that users write: bytes of a value's compact JSON in UTF-8, of a text its own bytes. Refused
 * with 400 before anything is parsed, compiled or stored. `docs/fairness.md` shows them.
 */
export const SIZES = {
  /** Of a subscription, of an approval's `when`, of a query. */
  filter: 16 * KIB,
  /** A text with templates. */
  templateText: 64 * KIB,
  /** All steps of a task. */
  steps: 256 * KIB,
  metadata: 16 * KIB,
  /** Those that a task has for all of its executions. */
  defaultInputs: 64 * KIB,
  /** Of one execution, execute or job. */
  inputs: MIB,
  promptVariables: 64 * KIB,
  /** What a system prompt may grow to when its values are put in. */
  filledPrompt: MIB,
  /** The local tools, the MCP servers, the approvals of an agent, each list. */
  agentList: 256 * KIB,
  schema: 64 * KIB,
  manifest: MIB,
  /** A record of a dataset, without its id and times. */
  record: MIB,
  /** Settings and choices of a call. */
  settings: 64 * KIB,
  /** What a model or a tool of the host gave: arguments, results. */
  toolValue: 8 * MIB,
  /** All results of a turn that a host gave. */
  turnResults: 32 * MIB,
  /** As much as the largest body: a nearer rule measures it where its limit is configured. */
  body: 16 * MIB,
} as const;

/** `systemPrompt`, in characters. */
export const SYSTEM_PROMPT_MAX = 200_000;
/** Places in a system prompt that are filled in. */
export const PROMPT_HOLES_MAX = 500;
/** Expressions in a text with templates. */
export const TEMPLATE_EXPRESSIONS_MAX = 1000;
/** A stored thing may be so many times its limit and still be used; beyond that nothing reads it. */
export const OVERSIZED_FACTOR = 4;
