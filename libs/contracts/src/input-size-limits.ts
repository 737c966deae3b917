const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Size limits of user input, in bytes of compact JSON or UTF-8 text. Violations are a 400 before anything is parsed,
 * compiled or stored. Listed in `docs/reference/field-sizes.md`.
 */
export const SIZES = {
  /** Of a subscription, of an approval's `when`, of a query. */
  filter: 16 * KIB,
  /** A text with template expressions. */
  templateText: 64 * KIB,
  /** All steps of a task. */
  steps: 256 * KIB,
  metadata: 16 * KIB,
  /** Defaults of a task for all its executions. */
  defaultInputs: 64 * KIB,
  /** Of one execution, execute or job. */
  inputs: MIB,
  promptVariables: 64 * KIB,
  /** A system prompt with its values inserted. */
  filledPrompt: MIB,
  /** The local tools, MCP servers or approvals of an agent, each list. */
  agentList: 256 * KIB,
  schema: 64 * KIB,
  manifest: MIB,
  /** A record of a dataset, without its id and times. */
  record: MIB,
  /** Settings and choices of a call. */
  settings: 64 * KIB,
  /** Arguments and results of a model's or host's tool call. */
  toolValue: 8 * MIB,
  /** All tool results of a turn from its host. */
  turnResults: 32 * MIB,
  /** The largest request body. More specific limits are checked where they are configured. */
  body: 16 * MIB,
} as const;

/** `systemPrompt`, in characters. */
export const SYSTEM_PROMPT_MAX = 200_000;
/** Placeholders in a system prompt. */
export const PROMPT_HOLES_MAX = 500;
/** Expressions in a template text. */
export const TEMPLATE_EXPRESSIONS_MAX = 1000;
/** Stored values may exceed a limit by this factor and still be used; larger ones are not read. */
export const OVERSIZED_FACTOR = 4;
