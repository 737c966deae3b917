// Generated from the contracts; do not edit. After a change of the API: npm run generate
export interface components {
  schemas: {
    /** @description Accepts an invitation. A new account needs a name and a password. */
    AcceptInvitationBody: {
      /** @description The password of a new account. Left out by a signed-in user, whose account joins the Space. */
      password?: string;
      /** @description The token of the invitation. */
      token: string;
    };
    /** @description An account, for operators. */
    AccountView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description E-mail address of the account. */
      email: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: date-time
       * @description Time of the last sign-in; null if there was none.
       */
      lastSignInAt: string | null;
      /** @description Name for people. */
      name: string;
      /** @description Whether the account is an operator of the platform. */
      operator: boolean;
      /** @description The Spaces that the account belongs to; in a list the oldest hundred. */
      spaces: components['schemas']['SpaceOfAccount'][];
      /**
       * @description Whether the account may sign in.
       * @enum {string}
       */
      status: 'ACTIVE' | 'DISABLED';
    };
    /** @description Number of records of one kind with one status. */
    ActivityCount: {
      /** @description Number of records of this kind with this status. */
      count: number;
      /**
       * @description Kind of the records.
       * @enum {string}
       */
      kind: 'turn' | 'execution' | 'job' | 'emission';
      /**
       * @description Status of the records.
       * @enum {string}
       */
      status:
        | 'RUNNING'
        | 'WAITING_INPUT'
        | 'COMPLETED'
        | 'FAILED'
        | 'CANCELLED'
        | 'QUEUED'
        | 'SUCCEEDED'
        | 'TIMED_OUT'
        | 'SKIPPED'
        | 'RETRYING'
        | 'CANCELLING'
        | 'PENDING'
        | 'DISPATCHED';
    };
    /** @description A turn, execution, job or emission, with the cost of its model calls. */
    ActivityRow: {
      /**
       * Format: uuid
       * @description Id of the agent that ran; null if none did.
       */
      agentId: string | null;
      /**
       * Format: uuid
       * @description Id of the record that caused this one; null if a person or a schedule started it.
       */
      causationId: string | null;
      /**
       * Format: uuid
       * @description Id that all records of one chain of causes share.
       */
      correlationId: string | null;
      /** @description Cost of the model calls; null if it is not known yet. */
      cost: number | null;
      /**
       * Format: date-time
       * @description When it was recorded: the list is ordered by this, and `from` and `to` mean it.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * @description Kind of the record.
       * @enum {string}
       */
      kind: 'turn' | 'execution' | 'job' | 'emission';
      /** @description The session's title, the task's, agent's or event's name. */
      name: string | null;
      /**
       * Format: uuid
       * @description Id of the session of a turn; null for the other kinds.
       */
      sessionId: string | null;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
      /**
       * @description Status of the record, in the words of its kind.
       * @enum {string}
       */
      status:
        | 'RUNNING'
        | 'WAITING_INPUT'
        | 'COMPLETED'
        | 'FAILED'
        | 'CANCELLED'
        | 'QUEUED'
        | 'SUCCEEDED'
        | 'TIMED_OUT'
        | 'SKIPPED'
        | 'RETRYING'
        | 'CANCELLING'
        | 'PENDING'
        | 'DISPATCHED';
      /**
       * Format: uuid
       * @description Id of the task that ran; null if none did.
       */
      taskId: string | null;
      /** @description Charged for its model calls so far; null for emissions. */
      tokens: number | null;
      /**
       * Format: uuid
       * @description Id of the user on whose behalf it ran; null if none is known.
       */
      userId: string | null;
    };
    /** @description Adds a member, or invites an address without an account. */
    AddMemberBody: {
      /**
       * @description E-mail address of the new member. If it has no account, an invitation is created.
       * @example ada@example.com
       */
      email: string;
      /** @description Makes an account of this Space with this password. Without it the person is invited. */
      password?: string;
      /**
       * @description Role of the new member.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
    };
    /** @description Changes of an agent. Given fields are replaced, the others stay. */
    AgentChanges: {
      /**
       * @description `SPACE`: every member may call the agent. `RESTRICTED`: only `allowedUserIds`.
       * @enum {string}
       */
      accessScope?: 'SPACE' | 'RESTRICTED';
      /**
       * @description `CHAT` for conversations, `TASK` for structured calls.
       * @enum {string}
       */
      agentType?: 'CHAT' | 'TASK';
      /** @description Users who may call a `RESTRICTED` agent. */
      allowedUserIds?: string[];
      /** @description Which calls of tools need an approval before they run. */
      approvals?: components['schemas']['ApprovalRule'][];
      /** @description Description for people. */
      description?: string | null;
      /** @description Models that are tried in this order if `model` is unavailable. */
      fallbackModels?: string[];
      /** @description Datasets that are searched before the model answers. */
      knowledge?: components['schemas']['KnowledgeSource'][];
      /** @description Tools that the host application runs. */
      localTools?: components['schemas']['LocalTool'][];
      /** @description Most model calls per turn; null for the default of the platform. */
      maxSteps?: number | null;
      /** @description MCP servers whose tools the model may call. */
      mcpServers?: components['schemas']['McpServerInput'][];
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description Id of the model, as `GET /models/v1/models` lists it. */
      model?: string;
      /** @description Name of the agent. */
      name?: string;
      /** @description Variables that the system prompt may contain. */
      promptVariables?: components['schemas']['PromptVariable'][];
      /** @description JSON Schema (2020-12) that the answer of execute must match. Patterns are of the linear kind: no look-around, no back-references. */
      responseSchema?: {
        [key: string]: unknown;
      } | null;
      /** @description Sampling settings of the model. */
      settings?: components['schemas']['ModelSettings'];
      /** @description Instructions for the model. May contain variables of `promptVariables` as `{{name}}`. */
      systemPrompt?: string;
      /** @description Built-in tools that the model may call. */
      tools?: (
        | 'ask_user'
        | 'search_datasets'
        | 'query_dataset'
        | 'write_dataset'
        | 'run_task'
        | 'emit_event'
        | 'web_search'
        | 'save_memory'
      )[];
    };
    /** @description Latency of an agent's turns over a period. */
    AgentLatency: {
      /**
       * Format: date-time
       * @description Start of the period.
       */
      from: string;
      /**
       * @description Length of the intervals in `overTime`.
       * @enum {string}
       */
      interval: 'hour' | 'day';
      /** @description Oldest first; without those in which no turn has ended. */
      overTime: components['schemas']['LatencyAt'][];
      /**
       * Format: date-time
       * @description End of the period.
       */
      to: string;
      /** @description Of the whole time. */
      total: components['schemas']['LatencyNumbers'];
    };
    /** @description An agent in a list, without its large fields. */
    AgentSummary: {
      /**
       * @description `SPACE`: every member may call the agent. `RESTRICTED`: only `allowedUserIds`.
       * @enum {string}
       */
      accessScope: 'SPACE' | 'RESTRICTED';
      /**
       * @description `CHAT` for conversations, `TASK` for structured calls.
       * @enum {string}
       */
      agentType: 'CHAT' | 'TASK';
      /** @description Users who may call a `RESTRICTED` agent. */
      allowedUserIds: string[];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /** @description Models that are tried in this order if `model` is unavailable. */
      fallbackModels: string[];
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Datasets that are searched before the model answers. */
      knowledge: components['schemas']['KnowledgeSource'][];
      /** @description Model steps of one turn; the limit of the deployment when null. */
      maxSteps: number | null;
      /** @description Id of the model. */
      model: string;
      /** @description Name for people. */
      name: string;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /** @description Variables that the system prompt may contain. */
      promptVariables: components['schemas']['PromptVariable'][];
      /** @description Sampling settings of the model. */
      settings: components['schemas']['ModelSettings'];
      /** @description Built in: callable from every Space, read-only. */
      system: boolean;
      /** @description Built-in tools that the model may call. */
      tools: (
        | 'ask_user'
        | 'search_datasets'
        | 'query_dataset'
        | 'write_dataset'
        | 'run_task'
        | 'emit_event'
        | 'web_search'
        | 'save_memory'
      )[];
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Number of the current version, from 1. */
      version: number;
    };
    /** @description An entry in an agent's list of versions. */
    AgentVersionSummary: {
      /** @description The agent as of this version. */
      agent: components['schemas']['AgentSummary'];
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /**
       * Format: uuid
       * @description Id of the user who made the change; null if that user is not known.
       */
      changedBy: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description Number of the version, from 1. */
      version: number;
    };
    /** @description A version of an agent, with the agent as it was. */
    AgentVersionView: {
      /** @description The agent as of this version, with all of its fields. */
      agent: components['schemas']['AgentView'];
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /**
       * Format: uuid
       * @description Id of the user who made the change; null if that user is not known.
       */
      changedBy: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description Number of the version, from 1. */
      version: number;
    };
    /** @description An agent with all of its fields. */
    AgentView: {
      /**
       * @description `SPACE`: every member may call the agent. `RESTRICTED`: only `allowedUserIds`.
       * @enum {string}
       */
      accessScope: 'SPACE' | 'RESTRICTED';
      /**
       * @description `CHAT` for conversations, `TASK` for structured calls.
       * @enum {string}
       */
      agentType: 'CHAT' | 'TASK';
      /** @description Users who may call a `RESTRICTED` agent. */
      allowedUserIds: string[];
      /** @description Rules for tool calls that need an approval. */
      approvals: components['schemas']['ApprovalRule'][];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /** @description Models that are tried in this order if `model` is unavailable. */
      fallbackModels: string[];
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Datasets that are searched before the model answers. */
      knowledge: components['schemas']['KnowledgeSource'][];
      /** @description Tools that the host application runs. */
      localTools: components['schemas']['LocalTool'][];
      /** @description Model steps of one turn; the limit of the deployment when null. */
      maxSteps: number | null;
      /** @description MCP servers whose tools the model may call, without the values of their headers. */
      mcpServers: components['schemas']['McpServerView'][];
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata: {
        [key: string]: unknown;
      };
      /** @description Id of the model. */
      model: string;
      /** @description Name for people. */
      name: string;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /** @description Variables that the system prompt may contain. */
      promptVariables: components['schemas']['PromptVariable'][];
      /** @description JSON Schema of the answers; null for free text. */
      responseSchema: {
        [key: string]: unknown;
      } | null;
      /** @description Sampling settings of the model. */
      settings: components['schemas']['ModelSettings'];
      /** @description Built in: callable from every Space, read-only. */
      system: boolean;
      /** @description Instructions for the model. */
      systemPrompt: string;
      /** @description Built-in tools that the model may call. */
      tools: (
        | 'ask_user'
        | 'search_datasets'
        | 'query_dataset'
        | 'write_dataset'
        | 'run_task'
        | 'emit_event'
        | 'web_search'
        | 'save_memory'
      )[];
      /** @description JSON pointers to formats in an older `responseSchema` that are not checked. */
      uncheckedFormats?: string[];
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Number of the current version, from 1. */
      version: number;
    };
    /** @description An API key, without its value. */
    ApiKeyView: {
      /**
       * Format: uuid
       * @description Id of the application; null if no application is involved.
       */
      applicationId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: date-time
       * @description Time at which the key expires; null if it does not.
       */
      expiresAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Last four characters of the value. */
      last4: string;
      /**
       * Format: date-time
       * @description Time of the last use, to the minute; null if it was never used.
       */
      lastUsedAt: string | null;
      /** @description Scopes that the key kept from a version that did not ask for them by name. PUT with `scopes` names or removes them. */
      legacyScopes?: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /** @description Only the limits that are set. */
      limits: components['schemas']['KeyLimits'];
      /** @description Name for people. */
      name: string;
      /**
       * Format: date-time
       * @description Time of the revocation; null if it is not revoked.
       */
      revokedAt: string | null;
      /** @description Scopes of the key. `*` stands for almost all. */
      scopes: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /**
       * @description Whether the key works.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /**
       * @description `USER` for programs, `SYSTEM` for an application, `OPERATOR` for the routes of operators.
       * @enum {string}
       */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    /** @description An API key with its value, which is shown once. A repeated request returns it without the value. */
    ApiKeyWithValue: {
      /**
       * Format: uuid
       * @description Id of the application; null if no application is involved.
       */
      applicationId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: date-time
       * @description Time at which the key expires; null if it does not.
       */
      expiresAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description The value: shown once, stored nowhere. */
      key?: string;
      /** @description Last four characters of the value. */
      last4: string;
      /**
       * Format: date-time
       * @description Time of the last use, to the minute; null if it was never used.
       */
      lastUsedAt: string | null;
      /** @description Scopes that the key kept from a version that did not ask for them by name. PUT with `scopes` names or removes them. */
      legacyScopes?: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /** @description Only the limits that are set. */
      limits: components['schemas']['KeyLimits'];
      /** @description Name for people. */
      name: string;
      /**
       * Format: date-time
       * @description Time of the revocation; null if it is not revoked.
       */
      revokedAt: string | null;
      /** @description Scopes of the key. `*` stands for almost all. */
      scopes: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /**
       * @description Whether the key works.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /**
       * @description `USER` for programs, `SYSTEM` for an application, `OPERATOR` for the routes of operators.
       * @enum {string}
       */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    /** @description An installed application. */
    ApplicationView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Identifier of the application, unique in the Space. */
      identifier: string;
      /**
       * Format: uuid
       * @description Id of the user who installed it; null if that user is not known.
       */
      installedBy: string | null;
      /** @description The manifest as installed. */
      manifest: components['schemas']['Manifest'];
      /** @description Name for people. */
      name: string;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /**
       * @description Always `INSTALLED`.
       * @enum {string}
       */
      status: 'INSTALLED';
      /**
       * Format: uuid
       * @description The record of the system key; its value is shown once.
       */
      systemKeyId: string | null;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Version of the installed manifest. */
      version: string;
    };
    /** @description An installed application with the value of its key, which is shown once. */
    ApplicationWithKey: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Identifier of the application, unique in the Space. */
      identifier: string;
      /**
       * Format: uuid
       * @description Id of the user who installed it; null if that user is not known.
       */
      installedBy: string | null;
      /** @description The manifest as installed. */
      manifest: components['schemas']['Manifest'];
      /** @description Name for people. */
      name: string;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /**
       * @description Always `INSTALLED`.
       * @enum {string}
       */
      status: 'INSTALLED';
      /** @description Absent when the answer is an idempotent replay. */
      systemApiKey?: string;
      /**
       * Format: uuid
       * @description The record of the system key; its value is shown once.
       */
      systemKeyId: string | null;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Version of the installed manifest. */
      version: string;
    };
    /** @description A call that waits for an approval. It later runs with exactly these arguments. */
    ApprovalCall: {
      /** @description Arguments of the call. */
      arguments: unknown;
      /** @description Id of the tool call. */
      call_id: string;
      /** @description SHA-256 of the RFC 8785 form of the arguments, in hex. */
      digest: string;
      /** @description Name of the tool. */
      name: string;
      /**
       * @description Where the tool comes from.
       * @enum {string}
       */
      source: 'builtin' | 'mcp' | 'local';
    };
    /** @description Selects the tool calls that need an approval before they run. */
    ApprovalRule: {
      /**
       * @description Approver; default `USER`, the user of the turn. `OTHER`: a MEMBER or higher who is not the user of the turn. If `OTHER` and `ADMIN` both apply: an ADMIN who is not the user of the turn.
       * @enum {string}
       */
      by?: 'USER' | 'ADMIN' | 'OTHER';
      /**
       * @description The name that the model sees, or a pattern with *.
       * @example write_dataset
       */
      tool: string;
      /** @description A filter over the arguments; dotted paths reach into objects. Without it every call needs an approval. Arguments that it cannot be evaluated on need one as well. */
      when?: {
        [key: string]: unknown;
      };
    };
    /** @description The decision about a call. */
    ApprovalVerdict: {
      /**
       * @description Required approver; null if the call runs without approval.
       * @enum {string|null}
       */
      by: 'USER' | 'ADMIN' | 'OTHER' | 'OTHER_ADMIN' | null;
      /** @description SHA-256 of the RFC 8785 form of the arguments, in hex. */
      digest: string;
      /** @description Rules that match the call. */
      matches: components['schemas']['MatchingRule'][];
      /** @description Question that the approver would see. */
      question: components['schemas']['InteractionForm'] | null;
    };
    /** @description The tools to approve. */
    ApproveMcpToolsBody: {
      /** @description One server of the agent; all if omitted. */
      server?: string;
    };
    /** @description Why an attempt failed. */
    AttemptError: {
      /** @description Code of the failure. */
      code: string;
      /** @description Message for people, at most 200 characters. */
      message: string;
    };
    /** @description Audio by URL. */
    AudioUrl: {
      /** @description An HTTP(S) URL or a base64 `data:` URI. */
      url: string;
    };
    /** @description Token balance of a Space. */
    BalanceView: {
      /** @description Tokens left. */
      balance: number;
      /** @description Most tokens per day; null for no cap. */
      dailyCap: number | null;
      /** @description Used since midnight UTC. */
      dailyUsed: number;
      /** @description Balance below which model calls are rejected; null for the default of the platform. */
      minimumBalance: number | null;
      /** @description Held for calls that are under way. */
      reserved: number;
      /**
       * Format: date-time
       * @description When dailyUsed starts again at 0.
       */
      resetsAt: string;
    };
    /** @description Cancels a turn. */
    CancelBody: {
      /**
       * Format: uuid
       * @description Id of the session of the turn; optional.
       */
      sessionId?: string | null;
    };
    /** @description Outcome of a cancellation. */
    CancelOutcome: {
      /** @description Status of the turn after the request. */
      status: string;
      /**
       * Format: uuid
       * @description Id of the turn.
       */
      turn_id: string;
    };
    /** @description Tokens and cost of a whole tree of causes. */
    CauseTotals: {
      /** @description Cost of the model calls. */
      cost: number;
      /** @description Tokens of the model calls. */
      tokens: number;
    };
    /** @description The tree of causes of a record. */
    CauseTree: {
      /** @description Records of the tree, parents before children. */
      nodes: components['schemas']['ShownCause'][];
      /** @description The key of the node that all goes back to. */
      root: string;
      /** @description Total that the ledger charged. */
      totals: components['schemas']['CauseTotals'];
      /** @description Whether there are more nodes than the answer shows. */
      truncated: boolean;
    };
    /** @description Upper limits of a Space, set by an operator. Null: the configured default. */
    Ceilings: {
      /** @description Agents; system agents do not count. */
      agents: number | null;
      /** @description Bytes of all datasets together. */
      bytes: number | null;
      /** @description Tokens of a day (UTC). */
      dailyTokens: number | null;
      /** @description Most datasets. */
      datasets: number | null;
      /** @description Bytes of stored files. */
      fileBytes: number | null;
      /** @description Agent jobs side by side. */
      jobConcurrency: number | null;
      /** @description Active API keys. */
      keys: number | null;
      /** @description Members and open invitations. */
      members: number | null;
      /** @description Tokens of a calendar month (UTC). */
      monthlyTokens: number | null;
      /** @description Records of all datasets together. */
      records: number | null;
      /** @description Requests a minute of all its credentials together. */
      requestsPerMinute: number | null;
      /** @description Task executions side by side. */
      taskConcurrency: number | null;
      /** @description Most tasks. */
      tasks: number | null;
    };
    /** @description Given ceilings are set, null resets one to the default, others stay. */
    ChangeCeilings: {
      /** @description Most agents. */
      agents?: number | null;
      /** @description Most bytes of records in all datasets together. */
      bytes?: number | null;
      /** @description Most tokens per day. */
      dailyTokens?: number | null;
      /** @description Most datasets. */
      datasets?: number | null;
      /** @description Most bytes of stored files. */
      fileBytes?: number | null;
      /** @description Most jobs that run at the same time. */
      jobConcurrency?: number | null;
      /** @description Most API keys. */
      keys?: number | null;
      /** @description Most members. */
      members?: number | null;
      /** @description Most tokens per month. */
      monthlyTokens?: number | null;
      /** @description Most records in all datasets together. */
      records?: number | null;
      /** @description Most requests per minute. */
      requestsPerMinute?: number | null;
      /** @description Most executions that run at the same time. */
      taskConcurrency?: number | null;
      /** @description Most tasks. */
      tasks?: number | null;
    };
    /** @description Changes of a dataset. Given fields are replaced, the others stay. */
    ChangeDataset: {
      /** @description New description; null removes it. */
      description?: string | null;
      /** @description New name. */
      name?: string;
      /** @description The whole list: every field there is, unchanged, and any new optional ones. */
      schema?: components['schemas']['DatasetSchema'];
    };
    /** @description Changes of an endpoint. Given fields are replaced, the others stay. */
    ChangeEndpoint: {
      /** @description How long a service may take for its reply, over NATS. */
      ackSeconds?: number;
      /** @description Whether events are sent. Those that match while it is inactive fail. */
      active?: boolean;
      /** @description Headers of each request. A value may hold `{{ secrets.NAME }}`. Other values are stored encrypted and shown as `***`. All headers are replaced; the value `***` keeps the stored one. */
      headers?: {
        [key: string]: string;
      };
      /** @description Most deliveries to the endpoint at one time: up to 64 over HTTP, up to 256 over NATS. */
      inFlight?: number;
      /** @description Where the platform sends events: an `https` address without user name and password. */
      url?: string;
    };
    /** @description Given limits are set, null removes one, others stay. */
    ChangeKeyLimits: {
      /** @description Agents that the key may call, by id; an empty list allows none. */
      agents?: string[] | null;
      /** @description Tokens a day (UTC). */
      dailyTokens?: number | null;
      /** @description Models of the relay that the key may call; an empty list allows none. */
      models?: string[] | null;
      /** @description Tokens a calendar month (UTC). */
      monthlyTokens?: number | null;
      /** @description Requests a minute. */
      requestsPerMinute?: number | null;
    };
    /** @description Given limits are set, null removes one, others stay. */
    ChangeNatsAccountLimits: {
      /** @description Agents that the key may call, by id; an empty list allows none. */
      agents?: string[] | null;
      /** @description Identifiers of the applications whose events the account emits; without the list, none. */
      applications?: string[] | null;
      /** @description Tokens a day (UTC). */
      dailyTokens?: number | null;
      /** @description Models of the relay that the key may call; an empty list allows none. */
      models?: string[] | null;
      /** @description Tokens a calendar month (UTC). */
      monthlyTokens?: number | null;
      /** @description Requests a minute. */
      requestsPerMinute?: number | null;
    };
    /** @description Changes of a Space by an operator. Given fields are replaced, the others stay. */
    ChangeOperatorSpaceBody: {
      /** @description Given ones are set, null takes one back to the default, the others stay. */
      ceilings?: components['schemas']['ChangeCeilings'];
      /** @description New name. */
      name?: string;
      /**
       * Format: uuid
       * @description The id of the Space that pays, or null: the Space itself.
       */
      payer?: string | null;
      /** @description Whether model calls are free for the balance. */
      unmetered?: boolean;
    };
    /** @description Changes the password of the caller. */
    ChangePassword: {
      /** @description The current password. */
      currentPassword: string;
      /** @description The new password, at least 12 characters. */
      newPassword: string;
    };
    /** @description Changes the role of a member. */
    ChangeRoleBody: {
      /**
       * @description The new role.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
    };
    /** @description Given settings are set, null resets one to the default. */
    ChangeSettings: {
      /** @description Rules for tool calls of all agents of the Space that need an approval. */
      approvals?: components['schemas']['ApprovalRule'][] | null;
      /** @description Whether contents of model calls are added to traces. */
      captureContent?: boolean | null;
      /** @description Most tokens per day. */
      dailyTokenCap?: number | null;
      /** @description Most jobs that run at the same time. */
      jobConcurrency?: number | null;
      /** @description Balance below which model calls are rejected. */
      minimumBalance?: number | null;
      /** @description Most tokens per request. */
      requestTokenCap?: number | null;
      /** @description Most executions that run at the same time. */
      taskConcurrency?: number | null;
    };
    /** @description Changes of a subscription. Given fields are replaced, the others stay. */
    ChangeSubscription: {
      /** @description Whether the subscription starts executions. */
      active?: boolean;
      /** @description New filter; null removes it. */
      filter?: {
        [key: string]: unknown;
      } | null;
    };
    /** @description Answer of a chat without a stream. */
    ChatAnswer: {
      /** @description Text of the answer. */
      answer: string;
      /** @description Content items of the message, in order. */
      content: components['schemas']['ContentItem'][];
      /** @description Records of datasets that were given to the model. */
      evidence: {
        [key: string]: unknown;
      }[];
      /** @description Seconds. */
      execution_time: number;
      /** @description Why the model stopped; null if the turn waits. */
      finish_reason: string | null;
      /** @description The question that waits for an answer. */
      interaction: components['schemas']['InteractionView'] | null;
      /**
       * Format: uuid
       * @description Id of the message; null if none was stored.
       */
      message_id: string | null;
      /** @description The parsed answer, where the turn had a responseSchema. */
      output?: unknown;
      /** @description What the model thought in this turn, where its upstream shows it: the first 524288 characters. */
      reasoning?: string;
      /**
       * Format: uuid
       * @description Id of the session.
       */
      session_id: string;
      /**
       * @description Status of the turn.
       * @enum {string}
       */
      status: 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /** @description Tokens and cost of the turn. */
      token_usage: components['schemas']['UsageReport'];
      /** @description Tokens of the turn in total. */
      tokens_used: number;
      /** @description Tool calls of the turn, with arguments and results. */
      tool_executions: {
        [key: string]: unknown;
      }[];
      /**
       * Format: uuid
       * @description Id of the turn.
       */
      turn_id: string;
    };
    /** @description A chat request. */
    ChatBody: {
      /** @description Message of the user. */
      contents: components['schemas']['ContentItem'][];
      /** @description Tools of the host application in this turn alone, beside those of the agent. */
      localTools?: components['schemas']['LocalTool'][];
      /** @description JSON Schema (2020-12) that the answer of this turn must match, in place of the agent’s. */
      responseSchema?: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description Continues a conversation; without it a session is made.
       */
      session_id?: string;
      /** @description Settings for this turn. They override the agent's. */
      settings?: components['schemas']['ChatSettings'];
      /**
       * @description `true`: answer with server-sent events. `false`: answer with one JSON body.
       * @default true
       */
      stream?: boolean;
      /**
       * Format: uuid
       * @description One UUID per user turn; a retry with it never runs the turn twice.
       */
      turnId?: string;
    };
    /** @description A chat completion request, as in the OpenAI API. Fields that agents do not support are rejected by name. */
    ChatCompletionsBody: {
      /** @description Not supported: values other than null are rejected. */
      audio?: unknown;
      /** @description Penalty for tokens by how often they have occurred. */
      frequency_penalty?: number | null;
      /** @description Not supported: values other than null are rejected. */
      function_call?: unknown;
      /** @description Only an empty list is supported; use `tools`. */
      functions?: unknown;
      /** @description Only an empty object is supported. */
      logit_bias?: unknown;
      /** @description Only `false` is supported. */
      logprobs?: unknown;
      /** @description Most tokens of the answer. */
      max_completion_tokens?: number | null;
      /** @description Most tokens of the answer. */
      max_tokens?: number | null;
      /** @description The history of this call alone, the newest message last. */
      messages: unknown;
      /** @description Metadata of the caller. */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /** @description Only `text` is supported. */
      modalities?: unknown;
      /** @description The id of an agent. */
      model: string;
      /** @description Only 1 is supported. */
      n?: unknown;
      /** @description Only `true` is supported; other values are rejected. */
      parallel_tool_calls?: unknown;
      /** @description Not supported: values other than null are rejected. */
      prediction?: unknown;
      /** @description Penalty for tokens that have occurred. */
      presence_penalty?: number | null;
      /** @description Accepted and ignored. */
      prompt_cache_key?: string | null;
      /** @description Accepted and ignored. */
      prompt_cache_retention?: string | null;
      /** @description Not supported: values other than null are rejected. */
      reasoning_effort?: unknown;
      /** @description `text` or `json_schema`. */
      response_format?: unknown;
      /** @description Accepted and ignored. */
      safety_identifier?: string | null;
      /** @description Not supported: values other than null are rejected. */
      seed?: unknown;
      /** @description Only `auto` and `default` are supported. */
      service_tier?: string | null;
      /** @description Only an empty list is supported. */
      stop?: unknown;
      /** @description Accepted and ignored: chat completions are not stored. */
      store?: boolean | null;
      /** @description Whether to answer with server-sent events. */
      stream?: boolean | null;
      /** @description `include_usage: true` adds a chunk with the token usage. */
      stream_options?: unknown;
      /** @description Sampling temperature. Higher values give more varied answers. */
      temperature?: number | null;
      /** @description Only `auto` is supported; other values are rejected. */
      tool_choice?: unknown;
      /** @description Tools of the type function. */
      tools?: unknown;
      /** @description Only 0 is supported. */
      top_logprobs?: unknown;
      /** @description Nucleus sampling: only the most likely tokens with this total probability are considered. */
      top_p?: number | null;
      /** @description Accepted and ignored: the credential names the user. */
      user?: string | null;
      /** @description Only `medium` is supported. */
      verbosity?: unknown;
      /** @description Not supported: values other than null are rejected. */
      web_search_options?: unknown;
    };
    /** @description Settings of one chat turn. */
    ChatSettings: {
      /**
       * @description With `ask`, tools that change something are not executed.
       * @enum {string}
       */
      chat_mode?: 'ask' | 'agent';
      /** @description `true` turns the web search tool off for this turn. */
      disable_web_search?: boolean;
      /** @description Penalty for tokens by how often they have occurred. */
      frequency_penalty?: number;
      /** @description Most tokens of the answer. */
      max_tokens?: number;
      /** @description Penalty for tokens that have occurred. */
      presence_penalty?: number;
      /** @description Sampling temperature. Higher values give more varied answers. */
      temperature?: number;
      /** @description Nucleus sampling: only the most likely tokens with this total probability are considered. */
      top_p?: number;
    };
    /** @description A tool call to check against the approval rules. */
    CheckApprovalBody: {
      /** @description Rules to be tried in place of the agent's own. */
      approvals?: components['schemas']['ApprovalRule'][];
      /** @description The arguments of the call. */
      arguments: {
        [key: string]: unknown;
      };
      /** @description The name of the tool, as the model sees it. */
      tool: string;
    };
    /** @description Status of the context after a compaction. */
    CompactionBody: {
      /** @description False when there was nothing older than the last exchange. */
      compacted: boolean;
      /** @description Number of compactions so far. */
      compaction_count: number;
      /** @description True when the numbers are our tokenizer’s, not the upstream’s own. */
      estimated: boolean;
      /** @description Size of the model’s context window. */
      max_tokens: number;
      /** @description User, assistant and tool messages of the transcript. */
      message_count: number;
      /** @description Model whose context is measured. */
      model: string;
      /** @description Tokens that still fit. */
      remaining_tokens: number;
      /**
       * Format: uuid
       * @description Id of the session.
       */
      session_id: string;
      /**
       * @description STALE: messages have come since the summary was made.
       * @enum {string}
       */
      summary_state: 'NONE' | 'CURRENT' | 'STALE';
      /** @description Tokens of the context after the compaction. */
      tokens_after: number;
      /** @description Tokens of the context before the compaction. */
      tokens_before: number;
      /** @description Tokens of the summary and of the messages after it. */
      used_tokens: number;
    };
    /** @description An item of a message. `type` decides which other field is set. */
    ContentItem: {
      /** @description Audio of an `audio` item. */
      audio_url?: components['schemas']['AudioUrl'];
      /** @description File of a `file` item: its name, type and data or URL. */
      file_info?: {
        [key: string]: unknown;
      };
      /** @description Image of an `image_url` item. */
      image_url?: components['schemas']['ImageUrl'];
      /** @description Text of a `text` item. */
      text?: string;
      /**
       * @description Kind of the item. It decides the field that carries the value.
       * @enum {string}
       */
      type: 'text' | 'image_url' | 'audio' | 'file';
    };
    /** @description Use of the model's context window in a session. */
    ContextStatusBody: {
      /** @description Number of compactions so far. */
      compaction_count: number;
      /** @description True when the numbers are our tokenizer’s, not the upstream’s own. */
      estimated: boolean;
      /** @description Size of the model’s context window. */
      max_tokens: number;
      /** @description User, assistant and tool messages of the transcript. */
      message_count: number;
      /** @description Model whose context is measured. */
      model: string;
      /** @description Tokens that still fit. */
      remaining_tokens: number;
      /**
       * Format: uuid
       * @description Id of the session.
       */
      session_id: string;
      /**
       * @description STALE: messages have come since the summary was made.
       * @enum {string}
       */
      summary_state: 'NONE' | 'CURRENT' | 'STALE';
      /** @description Tokens of the summary and of the messages after it. */
      used_tokens: number;
    };
    /** @description A count of records. */
    Counted: {
      /** @description Number of matching records. */
      count: number;
    };
    /** @description A new agent. */
    CreateAgent: {
      /**
       * @description `SPACE`: every member may call the agent. `RESTRICTED`: only `allowedUserIds`.
       * @enum {string}
       */
      accessScope?: 'SPACE' | 'RESTRICTED';
      /**
       * @description `CHAT` for conversations, `TASK` for structured calls.
       * @enum {string}
       */
      agentType?: 'CHAT' | 'TASK';
      /** @description Users who may call a `RESTRICTED` agent. */
      allowedUserIds?: string[];
      /** @description Which calls of tools need an approval before they run. */
      approvals?: components['schemas']['ApprovalRule'][];
      /** @description Description for people. */
      description?: string | null;
      /** @description Models that are tried in this order if `model` is unavailable. */
      fallbackModels?: string[];
      /** @description Datasets that are searched before the model answers. */
      knowledge?: components['schemas']['KnowledgeSource'][];
      /** @description Tools that the host application runs. */
      localTools?: components['schemas']['LocalTool'][];
      /** @description Most model calls per turn; null for the default of the platform. */
      maxSteps?: number | null;
      /** @description MCP servers whose tools the model may call. */
      mcpServers?: components['schemas']['McpServerInput'][];
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description Id of the model, as `GET /models/v1/models` lists it. */
      model: string;
      /** @description Name of the agent. */
      name: string;
      /** @description Variables that the system prompt may contain. */
      promptVariables?: components['schemas']['PromptVariable'][];
      /** @description JSON Schema (2020-12) that the answer of execute must match. Patterns are of the linear kind: no look-around, no back-references. */
      responseSchema?: {
        [key: string]: unknown;
      } | null;
      /** @description Sampling settings of the model. */
      settings?: components['schemas']['ModelSettings'];
      /** @description Instructions for the model. May contain variables of `promptVariables` as `{{name}}`. */
      systemPrompt: string;
      /** @description Built-in tools that the model may call. */
      tools?: (
        | 'ask_user'
        | 'search_datasets'
        | 'query_dataset'
        | 'write_dataset'
        | 'run_task'
        | 'emit_event'
        | 'web_search'
        | 'save_memory'
      )[];
    };
    /** @description A new API key. */
    CreateApiKey: {
      /** @description Description for people. */
      description?: string | null;
      /**
       * Format: date-time
       * @description Time at which the key expires; null for never.
       */
      expiresAt?: string | null;
      /** @description Limits of the key. */
      limits?: components['schemas']['ChangeKeyLimits'];
      /** @description Name of the key. */
      name: string;
      /**
       * @description Scopes of the key. `*` stands for almost all.
       * @default [
       *       "*"
       *     ]
       */
      scopes?: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
    };
    /** @description A new dataset. */
    CreateDataset: {
      /** @description Description for people. */
      description?: string | null;
      /**
       * @description Name of the dataset, unique in the Space.
       * @example Articles
       */
      name: string;
      /** @description Fields of the records. */
      schema: components['schemas']['DatasetSchema'];
    };
    /** @description A new endpoint. */
    CreateEndpoint: {
      /** @description How long a service may take for its reply, over NATS. Default 30. */
      ackSeconds?: number;
      /** @description Whether events are sent. Those that match while it is inactive fail. */
      active?: boolean;
      /** @description Headers of each request. A value may hold `{{ secrets.NAME }}`. Other values are stored encrypted and shown as `***`. */
      headers?: {
        [key: string]: string;
      };
      /** @description Most deliveries to the endpoint at one time: up to 64 over HTTP, up to 256 over NATS. Default 4, over NATS 16. */
      inFlight?: number;
      /**
       * @description Unique in the Space. It cannot be changed.
       * @example billing
       */
      name: string;
      /** @description Account of the service, with `transport: nats`. Such an endpoint has no `url` and no `headers`. */
      natsAccountId?: string;
      /**
       * @description How events are sent: to an address (default), or to a service over NATS.
       * @enum {string}
       */
      transport?: 'http' | 'nats';
      /**
       * @description Where the platform sends events: an `https` address without user name and password.
       * @example https://example.com/events
       */
      url?: string;
    };
    /** @description A new account. */
    CreateNatsAccountBody: {
      /** @description Limits of the account. */
      limits?: components['schemas']['ChangeNatsAccountLimits'];
      /**
       * @description Name of the service.
       * @example billing
       */
      name: string;
      /** @description Public key of a NATS user of your own. Without it the platform makes one, and shows its seed. */
      publicKey?: string;
      /**
       * @description Role in the Space.
       * @default MEMBER
       * @enum {string}
       */
      role?: 'VIEWER' | 'MEMBER' | 'ADMIN';
      /** @description Scopes of the account; at most those of the caller. */
      scopes: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
    };
    /** @description A new operator key. */
    CreateOperatorKey: {
      /**
       * Format: date-time
       * @description Time at which the key expires; null for never.
       */
      expiresAt?: string | null;
      /**
       * @description Name of the key.
       * @example monitoring
       */
      name: string;
      /**
       * @description Scopes of the key.
       * @default [
       *       "operator:read"
       *     ]
       */
      scopes?: ('operator:read' | 'operator:write' | 'operator:nats')[];
    };
    /** @description A new Space for an owner. */
    CreateOperatorSpace: {
      /** @description Upper limits of the Space. */
      ceilings?: components['schemas']['ChangeCeilings'];
      /**
       * @description Name of the Space.
       * @example Research
       */
      name: string;
      /** @description Owner of the Space. */
      owner: components['schemas']['NewOwner'];
      /**
       * Format: uuid
       * @description The id of the Space that pays, or null: the Space itself.
       */
      payer?: string | null;
      /** @description Tokens to start with; INITIAL_SPACE_TOKENS of the configuration unless said. */
      tokens?: number;
    };
    /** @description A new secret. */
    CreateSecret: {
      /** @description Description for people. */
      description?: string | null;
      /**
       * @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere.
       * @example [
       *       "api.example.com"
       *     ]
       */
      hosts?: string[];
      /**
       * @description Unique in the Space, ignoring case.
       * @example CRM_TOKEN
       */
      name: string;
      /** @description 1 byte to 8 KiB of text. */
      value: string;
    };
    /** @description A new session. */
    CreateSession: {
      /**
       * Format: uuid
       * @description Agent that the session begins with; optional.
       */
      agentId?: string;
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description Title of the session. */
      title?: string;
    };
    /** @description A new Space. */
    CreateSpace: {
      /**
       * @description Name of the Space.
       * @example Research
       */
      name: string;
    };
    /** @description A new subscription of a task or an endpoint. Name the event by `eventId`, or by `appIdentifier` and `event`. */
    CreateSubscription: {
      /** @description Whether the subscription starts executions. */
      active?: boolean;
      /** @description Identifier of the application, with `event`. */
      appIdentifier?: string;
      /**
       * Format: uuid
       * @description Id of the endpoint to which the event is sent. Needs the role ADMIN.
       */
      endpointId?: string;
      /** @description Name of the event, with `appIdentifier`. */
      event?: string;
      /**
       * Format: uuid
       * @description Id of the registered event. Or give `appIdentifier` and `event`.
       */
      eventId?: string;
      /** @description Without one, every occurrence matches. */
      filter?: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: uuid
       * @description Id of the task to start. It must be of type `EVENT`. Give exactly one of `taskId` and `endpointId`.
       */
      taskId?: string;
    };
    /** @description A new task. */
    CreateTask: {
      /**
       * @description Whether schedules and events start the task.
       * @default true
       */
      active?: boolean;
      /** @description Limit of executions that run at the same time. */
      concurrency?: components['schemas']['TaskConcurrencyInput'];
      /** @description Description for people. */
      description?: string | null;
      /** @description Defaults of the inputs of every execution. */
      inputs?: {
        [key: string]: unknown;
      };
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description Name of the task.
       * @example Nightly report
       */
      name: string;
      /** @description Retries of the whole execution. */
      retry?: components['schemas']['RetryRuleInput'];
      /** @description Schedule of a task of type `SCHEDULE`. */
      schedule?: components['schemas']['TaskScheduleInput'] | null;
      /** @description Steps of the task, run in order. */
      steps: components['schemas']['TaskStep'][];
      /**
       * @description Time limit of an execution in seconds.
       * @default 3600
       */
      timeoutSeconds?: number;
      /**
       * @description Trigger of the task: an API call, a schedule, or events.
       * @default MANUAL
       * @enum {string}
       */
      type?: 'MANUAL' | 'SCHEDULE' | 'EVENT';
    };
    /** @description A new thread, which is a session. */
    CreateThread: {
      /**
       * @description If the thread exists: fail, or return it.
       * @default raise
       * @enum {string|null}
       */
      if_exists?: 'raise' | 'do_nothing' | null;
      /** @description Kept with the session. `graph_id` is the id of its agent. */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /** @description Not supported. */
      supersteps?: unknown;
      /**
       * Format: uuid
       * @description The id of the session; made when not given.
       */
      thread_id?: string | null;
      /** @description Not supported. */
      ttl?: unknown;
    };
    /** @description The credential of the request. */
    CredentialView: {
      /** @description Id of the account, if the credential is one. */
      accountId?: string;
      /**
       * Format: uuid
       * @description Id of the key, if the credential is one.
       */
      keyId?: string;
      /** @description Scopes of the credential. */
      scopes: string[];
      /**
       * @description Kind of the credential.
       * @enum {string}
       */
      type: 'jwt' | 'api_key' | 'nats_account';
    };
    /** @description Tokens to add to a balance, or to subtract. */
    CreditBody: {
      /** @description In place of the Idempotency-Key header; this one wins. */
      idempotencyKey?: string;
      /** @description Note for the ledger. */
      note?: string;
      /**
       * @description Negative: a correction, which may bring the balance below 0.
       * @example 100000
       */
      tokens: number;
    };
    /** @description A field of a dataset's records. */
    DatasetField: {
      /** @description Given to inserted records that do not have the field. */
      default?: unknown;
      /** @description The only values it takes. */
      enum?: unknown[];
      /** @description Its words are found by full-text search. Of the full-text fields the first weighs most in the rank, then the second, then the third; those behind weigh alike. The order is that of creation: fields that are added later come last. */
      fullText?: boolean;
      /** @description Filters and sorts on it stay fast as the dataset grows. Texts of up to 2000 bytes. */
      indexed?: boolean;
      /**
       * @description Letters, digits and underscores; its case counts.
       * @example title
       */
      name: string;
      /** @description Every record has a value for it. */
      required?: boolean;
      /**
       * @description Type of the values.
       * @example string
       * @enum {string}
       */
      type:
        | 'string'
        | 'text'
        | 'integer'
        | 'number'
        | 'decimal'
        | 'boolean'
        | 'date'
        | 'datetime'
        | 'uuid'
        | 'json'
        | 'string[]';
      /** @description No two records have the same value; can serve `onConflict`. Texts of up to 2000 bytes. */
      unique?: boolean;
      /** @description Its meaning is found by vector search. */
      vector?: boolean;
    };
    /** @description The fields of a dataset's records. */
    DatasetSchema: {
      /** @description Fields of a record. */
      fields: components['schemas']['DatasetField'][];
      /**
       * @description How full-text search reads words (default `english`); set at creation.
       * @enum {string}
       */
      language?:
        | 'simple'
        | 'arabic'
        | 'armenian'
        | 'basque'
        | 'catalan'
        | 'danish'
        | 'dutch'
        | 'english'
        | 'finnish'
        | 'french'
        | 'german'
        | 'greek'
        | 'hindi'
        | 'hungarian'
        | 'indonesian'
        | 'irish'
        | 'italian'
        | 'lithuanian'
        | 'nepali'
        | 'norwegian'
        | 'portuguese'
        | 'romanian'
        | 'russian'
        | 'serbian'
        | 'spanish'
        | 'swedish'
        | 'tamil'
        | 'turkish'
        | 'yiddish';
    };
    /** @description A dataset, without its records. */
    DatasetView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
      /** @description Number of records. */
      recordCount: number;
      /** @description Fields of the records. */
      schema: components['schemas']['DatasetSchema'];
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Goes up with every change of the dataset itself. */
      version: number;
    };
    /** @description An event whose handling failed for good. Its content is not shown. */
    DeadLetterView: {
      /** @description Number of attempts. */
      attempts: number;
      /** @description Size of the event in bytes. */
      bytes: number;
      /** @description Name of the event. */
      event: string;
      /**
       * Format: date-time
       * @description Time of the first failure.
       */
      firstAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: date-time
       * @description Time of the last failure.
       */
      lastAt: string;
      /** @description A code, where there is one: what the error says may hold what the event says. */
      reason: string;
      /**
       * Format: date-time
       * @description Since when it waits for another try.
       */
      requeuedAt: string | null;
      /** @description The service that could not handle it. */
      service: string;
      /**
       * Format: uuid
       * @description Id of the Space; null if the event belongs to none.
       */
      spaceId: string | null;
    };
    /** @description Confirms a deletion. */
    Deleted: {
      /** @description Whether it was deleted. */
      deleted: boolean;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
    };
    /** @description Number of deleted memories. */
    DeletedMemories: {
      /** @description How many there were. */
      deleted: number;
    };
    /** @description Number of deleted records. */
    DeletedRecords: {
      /** @description Number of deleted records. */
      deleted: number;
    };
    /** @description An attempt to deliver an event to an endpoint. */
    DeliveryAttempt: {
      /**
       * Format: date-time
       * @description Start of the attempt.
       */
      at: string;
      /** @description Duration of the attempt. */
      durationMs: number;
      /** @description Why the attempt failed; null for a success. */
      error: components['schemas']['AttemptError'] | null;
      /** @description Status of the answer; null without one. */
      status: number | null;
    };
    /** @description A matched subscription, and what became of the event there: an execution, or a request to an endpoint. */
    DeliveryView: {
      /** @description Number of all attempts. */
      attemptCount: number;
      /** @description Attempts to deliver to the endpoint, the last ten. Empty for a task. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /**
       * Format: uuid
       * @description Id of the endpoint; null for a task.
       */
      endpointId: string | null;
      /**
       * @description Why the delivery ended without a further attempt; null if it did not.
       * @enum {string|null}
       */
      error: 'ENDPOINT_DISABLED' | 'ENDPOINT_BACKLOG' | 'PAYLOAD_TOO_LARGE' | 'RUNTIME_UNAVAILABLE' | null;
      /**
       * Format: uuid
       * @description Id of the execution that was started; null if none was.
       */
      executionId: string | null;
      /**
       * @description `TASK`: an execution was started. `ENDPOINT`: the event was sent.
       * @enum {string}
       */
      kind: 'TASK' | 'ENDPOINT';
      /** @description 0 for the emission itself, then 1, 2, ... for each replay. */
      replay: number;
      /**
       * @description Outcome for this subscription.
       * @enum {string}
       */
      status: 'PENDING' | 'TRIGGERED' | 'SKIPPED' | 'FAILED' | 'DELIVERED' | 'DISCARDED';
      /**
       * Format: uuid
       * @description Id of the subscription; null for a replay to an endpoint without one.
       */
      subscriptionId: string | null;
      /**
       * Format: uuid
       * @description Id of the task; null for an endpoint.
       */
      taskId: string | null;
    };
    /** @description A disabled account, with the Spaces that lose their owner. */
    DisabledAccountView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description E-mail address of the account. */
      email: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description The Spaces that have no other OWNER who can sign in. */
      lastOwnerOf: components['schemas']['SpaceName'][];
      /**
       * Format: date-time
       * @description Time of the last sign-in; null if there was none.
       */
      lastSignInAt: string | null;
      /** @description Name for people. */
      name: string;
      /** @description Whether the account is an operator of the platform. */
      operator: boolean;
      /** @description The Spaces that the account belongs to; in a list the oldest hundred. */
      spaces: components['schemas']['SpaceOfAccount'][];
      /**
       * @description Whether the account may sign in.
       * @enum {string}
       */
      status: 'ACTIVE' | 'DISABLED';
    };
    /** @description Discards a dead letter. */
    DiscardDeadLetterBody: {
      /** @description Why it is never handled; it stands in the log. */
      reason: string;
    };
    /** @description A text whose embedding failed several times. It is retried with increasing delays, up to a limit. */
    EmbeddingFailure: {
      /** @description Number of attempts. */
      attempts: number;
      /** @description Why the last attempt failed. */
      code: string | null;
      /** @description The field with the text. */
      field: string;
      /** @description Message of the last failure. */
      message: string | null;
      /**
       * Format: uuid
       * @description Id of the record.
       */
      recordId: string;
      /**
       * Format: date-time
       * @description When it is tried again; null: not by itself.
       */
      retryAt: string | null;
    };
    /** @description Number of texts that are embedded again. */
    EmbeddingsRetried: {
      /** @description Texts that are tried again now: at most 10,000. */
      retried: number;
    };
    /** @description Texts of a dataset that wait for their vectors, and those that failed. */
    EmbeddingsView: {
      /** @description Texts that failed three times or more, counted up to 100,000. */
      failed: number;
      /** @description The first 50 of those that failed. */
      failures: components['schemas']['EmbeddingFailure'][];
      /** @description Texts that wait for their vectors, counted up to 100,000. */
      pending: number;
    };
    /** @description An emission by a person, on behalf of the application that declares the event. */
    EmitByHandBody: {
      /** @description A retry with the same key and payload emits nothing new. */
      idempotencyKey?: string;
      /** @description Payload of the event. It must match the schema of the event. */
      payload: {
        [key: string]: unknown;
      };
    };
    /** @description An emission. */
    EmitEvent: {
      /**
       * @description Identifier of the application that emits.
       * @example shop
       */
      appIdentifier: string;
      /**
       * @description Name of the event.
       * @example order.created
       */
      event: string;
      /** @description An order number, for instance: a retry with the same key and payload emits nothing new. */
      idempotencyKey?: string;
      /** @description Payload of the event. It must match the schema of the event. */
      payload: {
        [key: string]: unknown;
      };
    };
    /** @description Writes to a dataset that emit the event. */
    EmitOn: {
      /**
       * Format: uuid
       * @description The dataset whose writes are emitted.
       */
      dataset: string;
      /** @description Only rows that fulfil this filter. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Writes that emit the event. */
      operations: ('insert' | 'update' | 'delete')[];
    };
    /** @description The recorded emission. */
    Emitted: {
      /** @description Whether an emission with this idempotency key existed. */
      duplicate: boolean;
      /**
       * Format: uuid
       * @description Id of the envelope, the record of the emission.
       */
      envelopeId: string;
      /**
       * @description Status of the emission.
       * @enum {string}
       */
      status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
    };
    /** @description A delivery to an endpoint. */
    EndpointDeliveryView: {
      /** @description Number of all attempts. */
      attemptCount: number;
      /** @description Attempts to deliver to the endpoint, the last ten. Empty for a task. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the endpoint; null for a task.
       */
      endpointId: string | null;
      /**
       * Format: uuid
       * @description Id of the envelope, the record of the emission.
       */
      envelopeId: string;
      /**
       * @description Why the delivery ended without a further attempt; null if it did not.
       * @enum {string|null}
       */
      error: 'ENDPOINT_DISABLED' | 'ENDPOINT_BACKLOG' | 'PAYLOAD_TOO_LARGE' | 'RUNTIME_UNAVAILABLE' | null;
      /** @description Name of the event. */
      event: string;
      /**
       * Format: uuid
       * @description Id of the execution that was started; null if none was.
       */
      executionId: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * @description `TASK`: an execution was started. `ENDPOINT`: the event was sent.
       * @enum {string}
       */
      kind: 'TASK' | 'ENDPOINT';
      /** @description 0 for the emission itself, then 1, 2, ... for each replay. */
      replay: number;
      /**
       * @description Outcome for this subscription.
       * @enum {string}
       */
      status: 'PENDING' | 'TRIGGERED' | 'SKIPPED' | 'FAILED' | 'DELIVERED' | 'DISCARDED';
      /**
       * Format: uuid
       * @description Id of the subscription; null for a replay to an endpoint without one.
       */
      subscriptionId: string | null;
      /**
       * Format: uuid
       * @description Id of the task; null for an endpoint.
       */
      taskId: string | null;
    };
    /** @description A replay to an endpoint. */
    EndpointReplayed: {
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description How many envelopes are sent again, at most 100,000. */
      matched: number;
    };
    /** @description Outcome of a test. */
    EndpointTested: {
      /** @description Duration of the request. */
      durationMs: number;
      /** @description Why the test failed; null for an answer of 2xx. */
      error: components['schemas']['AttemptError'] | null;
      /** @description Status of the answer; null without one. */
      status: number | null;
    };
    /** @description An endpoint: an address or a service of yours to which the platform sends events. */
    EndpointView: {
      /** @description How long a service may take for its reply, over NATS. Null over HTTP. */
      ackSeconds: number | null;
      /** @description Whether events are sent. Those that match while it is inactive fail. */
      active: boolean;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Code of the latest failure; null while it is healthy. */
      failingReason: string | null;
      /**
       * Format: date-time
       * @description First failure since the last success; null while it is healthy.
       */
      failingSince: string | null;
      /** @description Headers of each request; literal values are shown as `***`. Only for ADMIN and up. */
      headers?: {
        [key: string]: string;
      };
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Most deliveries to the endpoint at one time: up to 64 over HTTP, up to 256 over NATS. */
      inFlight: number;
      /**
       * Format: date-time
       * @description Time of the last success, to the second.
       */
      lastSuccessAt: string | null;
      /** @description Name of the endpoint, unique in the Space. */
      name: string;
      /** @description Account of the service; null over HTTP. */
      natsAccountId: string | null;
      /** @description Why nothing can be sent to it, such as headers that cannot be decrypted after the loss of a key, and how to mend it. Absent if there is nothing. Only for ADMIN and up. */
      problem?: string;
      /**
       * @description `FAILING`: the latest attempts failed. `DISABLED`: nothing is sent, after five days of failures, the answer 410, or the end of the account.
       * @enum {string}
       */
      status: 'HEALTHY' | 'FAILING' | 'DISABLED';
      /**
       * @description How events are sent.
       * @enum {string}
       */
      transport: 'http' | 'nats';
      /** @description The address; null over NATS. Callers without the role ADMIN see its scheme and host only. */
      url: string | null;
    };
    /** @description An endpoint with its signing secret, which is shown once. Over NATS there is none. */
    EndpointWithSecret: {
      /** @description How long a service may take for its reply, over NATS. Null over HTTP. */
      ackSeconds: number | null;
      /** @description Whether events are sent. Those that match while it is inactive fail. */
      active: boolean;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Code of the latest failure; null while it is healthy. */
      failingReason: string | null;
      /**
       * Format: date-time
       * @description First failure since the last success; null while it is healthy.
       */
      failingSince: string | null;
      /** @description Headers of each request; literal values are shown as `***`. Only for ADMIN and up. */
      headers?: {
        [key: string]: string;
      };
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Most deliveries to the endpoint at one time: up to 64 over HTTP, up to 256 over NATS. */
      inFlight: number;
      /**
       * Format: date-time
       * @description Time of the last success, to the second.
       */
      lastSuccessAt: string | null;
      /** @description Name of the endpoint, unique in the Space. */
      name: string;
      /** @description Account of the service; null over HTTP. */
      natsAccountId: string | null;
      /** @description Why nothing can be sent to it, such as headers that cannot be decrypted after the loss of a key, and how to mend it. Absent if there is nothing. Only for ADMIN and up. */
      problem?: string;
      /** @description Key of the signatures, `whsec_...`. Absent over NATS, and when the answer is an idempotent replay. */
      secret?: string;
      /**
       * @description `FAILING`: the latest attempts failed. `DISABLED`: nothing is sent, after five days of failures, the answer 410, or the end of the account.
       * @enum {string}
       */
      status: 'HEALTHY' | 'FAILING' | 'DISABLED';
      /**
       * @description How events are sent.
       * @enum {string}
       */
      transport: 'http' | 'nats';
      /** @description The address; null over NATS. Callers without the role ADMIN see its scheme and host only. */
      url: string | null;
    };
    /** @description An envelope with the subscriptions that it matched. */
    EnvelopeDetails: {
      /**
       * Format: uuid
       * @description Id of the user who caused the emission; null if none did.
       */
      actorUserId: string | null;
      /** @description Identifier of the application. */
      appIdentifier: string;
      /** @description Number of dispatch attempts. */
      attempts: number;
      /**
       * Format: uuid
       * @description Id of the record that caused this one; null if a person or a schedule started it.
       */
      causationId: string | null;
      /**
       * Format: uuid
       * @description Id that all records of one chain of causes share.
       */
      correlationId: string;
      /** @description Matched subscriptions and the executions that they started. */
      deliveries: components['schemas']['DeliveryView'][];
      /** @description Number of emissions in the chain of causes before this record. */
      depth: number;
      /**
       * Format: date-time
       * @description Time of the dispatch; null before it.
       */
      dispatchedAt: string | null;
      /**
       * Format: date-time
       * @description Time of the emission.
       */
      emittedAt: string;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['EnvelopeError'] | null;
      /** @description Name of the event. */
      event: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Idempotency key of the emission; null if it has none. */
      idempotencyKey: string | null;
      /** @description Number of matched subscriptions. */
      matchedSubscriptions: number;
      /** @description Payload of the event. */
      payload: {
        [key: string]: unknown;
      };
      /**
       * @description `datasource`: a write to a dataset. `app`: an application. `system`: the platform. `user`: a person.
       * @enum {string}
       */
      source: 'datasource' | 'app' | 'system' | 'user';
      /**
       * Format: uuid
       * @description Id of the Space.
       */
      spaceId: string;
      /**
       * @description Status of the emission.
       * @enum {string}
       */
      status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
    };
    /** @description Why an emission failed. */
    EnvelopeError: {
      /** @description Error code. */
      code: string;
      /** @description Message for people. */
      message: string;
    };
    /** @description The record of one emission. */
    EnvelopeView: {
      /**
       * Format: uuid
       * @description Id of the user who caused the emission; null if none did.
       */
      actorUserId: string | null;
      /** @description Identifier of the application. */
      appIdentifier: string;
      /** @description Number of dispatch attempts. */
      attempts: number;
      /**
       * Format: uuid
       * @description Id of the record that caused this one; null if a person or a schedule started it.
       */
      causationId: string | null;
      /**
       * Format: uuid
       * @description Id that all records of one chain of causes share.
       */
      correlationId: string;
      /** @description Number of emissions in the chain of causes before this record. */
      depth: number;
      /**
       * Format: date-time
       * @description Time of the dispatch; null before it.
       */
      dispatchedAt: string | null;
      /**
       * Format: date-time
       * @description Time of the emission.
       */
      emittedAt: string;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['EnvelopeError'] | null;
      /** @description Name of the event. */
      event: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Idempotency key of the emission; null if it has none. */
      idempotencyKey: string | null;
      /** @description Number of matched subscriptions. */
      matchedSubscriptions: number;
      /** @description Payload of the event. */
      payload: {
        [key: string]: unknown;
      };
      /**
       * @description `datasource`: a write to a dataset. `app`: an application. `system`: the platform. `user`: a person.
       * @enum {string}
       */
      source: 'datasource' | 'app' | 'system' | 'user';
      /**
       * Format: uuid
       * @description Id of the Space.
       */
      spaceId: string;
      /**
       * @description Status of the emission.
       * @enum {string}
       */
      status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
    };
    /** @description Body of every error. */
    Error: {
      /**
       * @description Stable code for programs.
       * @enum {string}
       */
      code:
        | 'VALIDATION_ERROR'
        | 'REQUEST_TOO_LARGE'
        | 'EVENT_PAYLOAD_INVALID'
        | 'UNAUTHORIZED'
        | 'INSUFFICIENT_TOKENS'
        | 'BELOW_MINIMUM_BALANCE'
        | 'FORBIDDEN'
        | 'SECRET_NOT_ALLOWED'
        | 'SPACE_SUSPENDED'
        | 'NOT_FOUND'
        | 'EVENT_NOT_REGISTERED'
        | 'APPLICATION_NOT_INSTALLED'
        | 'METHOD_NOT_ALLOWED'
        | 'CONFLICT'
        | 'TURN_ALREADY_ACTIVE'
        | 'INTERACTION_PENDING'
        | 'INTERACTION_NOT_PENDING'
        | 'IDEMPOTENCY_CONFLICT'
        | 'REQUEST_IN_PROGRESS'
        | 'JOB_FINISHED'
        | 'SECRET_MISSING'
        | 'SECRET_UNREADABLE'
        | 'STREAM_EXPIRED'
        | 'PRECONDITION_FAILED'
        | 'PAYLOAD_TOO_LARGE'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'STREAM_PROTOCOL_REQUIRED'
        | 'DAILY_LIMIT_EXCEEDED'
        | 'MONTHLY_LIMIT_EXCEEDED'
        | 'RATE_LIMITED'
        | 'SERVER_ERROR'
        | 'SERVICE_UNAVAILABLE'
        | 'RUNTIME_UNAVAILABLE'
        | 'COMPACTION_UNAVAILABLE'
        | 'TIMEOUT';
      /** @description The invalid fields. */
      details?: {
        /** @description Problem with the field, as a sentence without its subject. */
        message: string;
        /** @description Path of the field, such as `steps[0].with.url`. */
        path: string;
      }[];
      /** @description Message for people: what is wrong and what to do next. */
      message: string;
      /**
       * @description Always false.
       * @constant
       */
      success: false;
    };
    /** @description The actor: a person, an API key, a NATS account, an operator, or the platform. */
    EventActor: {
      /** @description Id of the actor, if it has one. */
      id?: string;
      /**
       * @description Kind of the actor.
       * @enum {string}
       */
      type: 'user' | 'key' | 'account' | 'operator' | 'machine';
    };
    /** @description Emissions of one event by status. */
    EventCounts: {
      /** @description Identifier of the application. */
      appIdentifier: string;
      /** @description Emissions that were dispatched. */
      DISPATCHED: number;
      /** @description Name of the event. */
      event: string;
      /** @description Emissions that failed. */
      FAILED: number;
      /** @description Emissions that wait for dispatch. */
      PENDING: number;
      /** @description Emissions that were skipped, for instance by the depth guard. */
      SKIPPED: number;
      /** @description Emissions in total. */
      total: number;
    };
    /** @description Emissions over a period. */
    EventStats: {
      /** @description Emissions by event and status. */
      byEvent: components['schemas']['EventCounts'][];
      /** @description Emissions by status. */
      byStatus: components['schemas']['StatusCounts'];
      /**
       * Format: date-time
       * @description Start of the period.
       */
      from: string;
      /**
       * @description Length of the intervals in `overTime`.
       * @enum {string}
       */
      interval: 'hour' | 'day';
      /**
       * Format: date-time
       * @description Since when the oldest waiting emission waits.
       */
      oldestPendingAt: string | null;
      /** @description Emissions by interval and status. */
      overTime: components['schemas']['IntervalCounts'][];
      /**
       * Format: date-time
       * @description End of the period.
       */
      to: string;
    };
    /** @description Answer of an execute without a stream. It is flat: the fields of the result, without an envelope. */
    ExecuteAnswer: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agent_id: string;
      /** @description Text of the answer. */
      answer: string;
      /** @description Seconds. */
      execution_time: number;
      /** @description Why the model stopped; null if the turn waits. */
      finish_reason: string | null;
      /** @description The question that the turn waits for. */
      interaction?: components['schemas']['InteractionView'];
      /** @description Message for people. */
      message: string;
      /** @description The parsed answer of an agent with a responseSchema. */
      output?: unknown;
      /** @description What the model thought in this turn, where its upstream shows it: the first 524288 characters. */
      reasoning?: string;
      /**
       * Format: uuid
       * @description The conversation, when one was used.
       */
      session_id?: string;
      /**
       * @description Status of the turn.
       * @enum {string}
       */
      status: 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      /**
       * @description Always true.
       * @constant
       */
      success: true;
      /** @description Tokens and cost of the turn. */
      token_usage: components['schemas']['UsageReport'];
      /**
       * Format: uuid
       * @description Id of the turn.
       */
      turn_id: string;
    };
    /** @description An execute request. */
    ExecuteBody: {
      /** @description query, session_id, memory, context, internet, images, audios, and variables of the prompt. */
      inputs?: {
        [key: string]: unknown;
      };
      /** @description Tools of the host application in this turn alone, beside those of the agent. */
      localTools?: components['schemas']['LocalTool'][];
      /** @description JSON Schema (2020-12) that the answer of this turn must match, in place of the agent’s. */
      responseSchema?: {
        [key: string]: unknown;
      };
      /** @description Settings for this call. They override the agent's. */
      settings?: components['schemas']['ExecuteSettings'];
      /**
       * @description `true`: answer with server-sent events. `false`: answer with one JSON body.
       * @default false
       */
      stream?: boolean;
    };
    /** @description Settings of an execute, in the spelling of its API. */
    ExecuteSettings: {
      /** @description Penalty for tokens by how often they have occurred. */
      frequency_penalty?: number;
      /** @description Most tokens of the answer. */
      maxTokens?: number;
      /** @description Penalty for tokens that have occurred. */
      presence_penalty?: number;
      /** @description Sampling temperature. Higher values give more varied answers. */
      temperature?: number;
      /** @description Nucleus sampling: only the most likely tokens with this total probability are considered. */
      top_p?: number;
    };
    /** @description Inputs of a manual execution. */
    ExecuteTaskBody: {
      /** @description In place of the Idempotency-Key header. */
      idempotencyKey?: string;
      /** @description Override the task's default inputs. */
      inputs?: {
        [key: string]: unknown;
      };
    };
    /** @description Why an execution or a step failed. */
    ExecutionError: {
      /** @description Error code. */
      code: string;
      /** @description Message for people. */
      message: string;
      /** @description False: the same would fail again, and is not tried again by itself. */
      retryable?: boolean;
    };
    /** @description An execution with its steps. */
    ExecutionView: {
      /** @description Number of the attempt, from 1. */
      attempt: number;
      /**
       * Format: uuid
       * @description Id of the record that caused this one; null if a person or a schedule started it.
       */
      causationId: string | null;
      /**
       * Format: uuid
       * @description Id that all records of one chain of causes share.
       */
      correlationId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description Number of emissions in the chain of causes before this record. */
      depth: number;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['ExecutionError'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Inputs of the execution. */
      inputs: {
        [key: string]: unknown;
      };
      /** @description The output of the last step that ran. */
      output: unknown;
      /**
       * Format: uuid
       * @description Id of the user who started it manually; null if an event or a schedule did.
       */
      requestedBy: string | null;
      /**
       * Format: uuid
       * @description The execution that this one repeats, or whose results its step reads.
       */
      rerunOf: string | null;
      /**
       * Format: date-time
       * @description The due time of the schedule that it stands for.
       */
      scheduledFor: string | null;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
      /**
       * @description Status of the execution.
       * @enum {string}
       */
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT' | 'SKIPPED';
      /** @description Steps with their status, input and output. */
      steps: components['schemas']['StepView'][];
      /**
       * Format: uuid
       * @description Id of the task.
       */
      taskId: string;
      /** @description Version of the task that runs. */
      taskVersion: number;
      /** @description Id of the step that was tried alone; null if the execution runs the whole task. */
      triedStep: string | null;
      /** @description The event that started it; null by hand and on schedule. */
      trigger: {
        [key: string]: unknown;
      } | null;
    };
    /** @description An active account whose seed the removed person was shown. */
    ExposedNatsAccount: {
      /** @description Id of the account. */
      id: string;
      /** @description Name for people. */
      name: string;
    };
    /** @description Forks a session. */
    ForkRequest: {
      /**
       * Format: uuid
       * @description The last message that the new session shares; without it, all of them.
       */
      fromMessageId?: string;
    };
    /** @description An image by URL. */
    ImageUrl: {
      /**
       * @description How closely the model looks, such as `auto`.
       * @example auto
       */
      detail?: string;
      /** @description An HTTP(S) URL or a base64 `data:` URI. */
      url: string;
    };
    /** @description Outcome of a small import. */
    Imported: {
      /** @description Number of inserted records. */
      inserted: number;
    };
    /** @description Why an import failed. */
    ImportFailure: {
      /** @description Error code. */
      code: string;
      /** @description Message for people. */
      message: string;
    };
    /** @description A large import: validated at the end of the upload, then written atomically in the background. */
    ImportJobView: {
      /**
       * Format: date-time
       * @description Time at which it was asked to stop; null if it was not.
       */
      cancelRequestedAt: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /**
       * Format: uuid
       * @description Id of the dataset.
       */
      datasetId: string;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['ImportFailure'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * @description Format of the file.
       * @enum {string}
       */
      format: 'ndjson' | 'csv';
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Records that are in the dataset now: all of them or none. */
      inserted: number;
      /**
       * @description Phase of the import.
       * @enum {string}
       */
      phase: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
      /** @description Never goes back. */
      progress: number;
      /** @description Records in the file. */
      records: number;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
    };
    /** @description An interaction with context for the inbox. */
    InboxInteraction: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /** @description Null when the agent was deleted meanwhile. */
      agentName: string | null;
      /** @description Whether a free text may be given in `otherText`. */
      allowOther: boolean;
      /** @description Whether this credential may answer it now. False for an approval where a key lacks the scope approvals:answer. */
      answerable?: boolean;
      /**
       * Format: date-time
       * @description Time of the answer; null before it.
       */
      answeredAt: string | null;
      /**
       * Format: uuid
       * @description Id of the user who answered or decided, once answered.
       */
      answeredBy?: string | null;
      /**
       * @description Of an approval: who may answer.
       * @enum {string}
       */
      by?: 'USER' | 'ADMIN' | 'OTHER' | 'OTHER_ADMIN';
      /** @description Of an approval: what would run. */
      calls?: components['schemas']['ApprovalCall'][];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time at which the interaction expires.
       */
      expiresAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * @description Whether one option or several may be selected.
       * @enum {string}
       */
      kind: 'single_choice' | 'multiple_choice';
      /** @description Most options to select. */
      maxSelections?: number;
      /** @description Fewest options to select. */
      minSelections?: number;
      /** @description Options to select from. */
      options: components['schemas']['InteractionOption'][];
      /** @description Free text of the answer; null if there is none. */
      otherText?: string | null;
      /** @description The question. */
      prompt: string;
      /**
       * @description A question of the model, or an approval of calls of tools.
       * @enum {string}
       */
      purpose: 'question' | 'approval';
      /** @description Ids of the selected options, once answered. */
      selectedOptionIds?: string[];
      /**
       * Format: uuid
       * @description Id of the session.
       */
      sessionId: string;
      /** @description Title of the session; null if it has none. */
      sessionTitle: string | null;
      /**
       * @description Status of the interaction.
       * @enum {string}
       */
      status: 'PENDING' | 'ANSWERED' | 'CANCELLED' | 'EXPIRED';
      /**
       * Format: uuid
       * @description Id of the turn.
       */
      turnId: string;
      /**
       * Format: uuid
       * @description Id of the user of the turn.
       */
      userId: string;
    };
    /** @description Outcome of an insert. */
    Inserted: {
      /** @description In the order of the records; a skipped one has the id of the record it met. */
      ids: string[];
      /** @description Number of inserted records. */
      inserted: number;
      /** @description Number of skipped records. */
      skipped: number;
      /** @description Number of updated records. */
      updated: number;
    };
    /** @description Installs or upgrades an application. */
    InstallApplication: {
      /** @description The manifest of the application. */
      manifest: components['schemas']['Manifest'];
    };
    /** @description The form that a turn shows to its user. */
    InteractionForm: {
      /** @description Whether a free text may be given in `otherText`. */
      allowOther?: boolean;
      /**
       * @description Whether one option or several may be selected.
       * @enum {string}
       */
      kind: 'single_choice' | 'multiple_choice';
      /** @description Most options to select. */
      maxSelections?: number;
      /** @description Fewest options to select. */
      minSelections?: number;
      /** @description Options to select from. */
      options: components['schemas']['InteractionOption'][];
      /** @description The question. */
      prompt: string;
    };
    /** @description An option of an interaction. */
    InteractionOption: {
      /** @description Longer text of the option. */
      description?: string;
      /** @description Id of the option. Answers name it. */
      id: string;
      /** @description Text of the option. */
      label: string;
    };
    /** @description A question or an approval of a turn. */
    InteractionView: {
      /** @description Whether a free text may be given in `otherText`. */
      allowOther: boolean;
      /**
       * Format: date-time
       * @description Time of the answer; null before it.
       */
      answeredAt: string | null;
      /**
       * Format: uuid
       * @description Id of the user who answered or decided, once answered.
       */
      answeredBy?: string | null;
      /**
       * @description Of an approval: who may answer.
       * @enum {string}
       */
      by?: 'USER' | 'ADMIN' | 'OTHER' | 'OTHER_ADMIN';
      /** @description Of an approval: what would run. */
      calls?: components['schemas']['ApprovalCall'][];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description Time at which the interaction expires.
       */
      expiresAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * @description Whether one option or several may be selected.
       * @enum {string}
       */
      kind: 'single_choice' | 'multiple_choice';
      /** @description Most options to select. */
      maxSelections?: number;
      /** @description Fewest options to select. */
      minSelections?: number;
      /** @description Options to select from. */
      options: components['schemas']['InteractionOption'][];
      /** @description Free text of the answer; null if there is none. */
      otherText?: string | null;
      /** @description The question. */
      prompt: string;
      /**
       * @description A question of the model, or an approval of calls of tools.
       * @enum {string}
       */
      purpose: 'question' | 'approval';
      /** @description Ids of the selected options, once answered. */
      selectedOptionIds?: string[];
      /**
       * Format: uuid
       * @description Id of the session.
       */
      sessionId: string;
      /**
       * @description Status of the interaction.
       * @enum {string}
       */
      status: 'PENDING' | 'ANSWERED' | 'CANCELLED' | 'EXPIRED';
      /**
       * Format: uuid
       * @description Id of the turn.
       */
      turnId: string;
    };
    /** @description Emissions of one interval by status. */
    IntervalCounts: {
      /**
       * Format: date-time
       * @description Start of the interval.
       */
      at: string;
      /** @description Emissions that were dispatched. */
      DISPATCHED: number;
      /** @description Emissions that failed. */
      FAILED: number;
      /** @description Emissions that wait for dispatch. */
      PENDING: number;
      /** @description Emissions that were skipped, for instance by the depth guard. */
      SKIPPED: number;
      /** @description Emissions in total. */
      total: number;
    };
    /** @description Invitation with its token, which is shown once. */
    InvitationView: {
      /**
       * Format: date-time
       * @description The token works until then.
       */
      expiresAt: string;
      /** @description Shown once; give it to the invited person. */
      token: string;
    };
    /** @description Outcome of the POST to the callback of a job. */
    JobCallbackView: {
      /** @description Number of attempts. */
      attempts: number;
      /**
       * Format: date-time
       * @description When it was delivered or given up.
       */
      finishedAt: string | null;
      /** @description The HTTP status of the last answer, or the code of the error where there was none. */
      lastResult: string | null;
      /**
       * Format: date-time
       * @description Of a callback that is PENDING.
       */
      nextAttemptAt: string | null;
      /**
       * @description WAITING: the job has not ended. PENDING: it is sent, or sent again.
       * @enum {string}
       */
      status: 'WAITING' | 'PENDING' | 'DELIVERED' | 'GIVEN_UP';
      /** @description URL that the callback is sent to. */
      url: string;
    };
    /** @description Why a job failed. */
    JobError: {
      /** @description Error code. */
      code: string;
      /** @description Message for people. */
      message: string;
    };
    /** @description Input of a job: `contents` for a chat, `inputs` for an execute. */
    JobInputBody: {
      /** @description As in a chat. */
      contents?: components['schemas']['ContentItem'][];
      /** @description As in an execute. */
      inputs?: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description The conversation that the run belongs to.
       */
      session_id?: string;
      /** @description With contents a chat's settings, else an execute's. */
      settings?: {
        [key: string]: unknown;
      };
    };
    /** @description A job in a list, without its metadata. */
    JobSummary: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /** @description Number of the current attempt; 0 before the first. */
      attempt: number;
      /** @description URL that is called at the end; null for none. */
      callbackUrl: string | null;
      /**
       * Format: date-time
       * @description Time at which it was asked to stop; null if it was not.
       */
      cancelRequestedAt: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['JobError'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * Format: date-time
       * @description Time of the last sign of life; null before the start.
       */
      heartbeatAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Input of the job. */
      input: components['schemas']['ShownJobInput'];
      /** @description The open question of a job that waits for one. */
      interaction: {
        [key: string]: unknown;
      } | null;
      /** @description Most attempts. */
      maxAttempts: number;
      /**
       * @description Phase of the job.
       * @enum {string}
       */
      phase:
        | 'QUEUED'
        | 'RUNNING'
        | 'RETRYING'
        | 'WAITING_INPUT'
        | 'CANCELLING'
        | 'SUCCEEDED'
        | 'FAILED'
        | 'CANCELLED'
        | 'TIMED_OUT';
      /** @description Priority, 0 to 9. Higher values run first. */
      priority: number;
      /** @description Never goes back. */
      progress: number;
      /** @description Progress for people; null before there is any. */
      progressMessage: string | null;
      /** @description The result of the execution. */
      result: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
      /** @description Time limit of the job in seconds. */
      timeoutSeconds: number;
      /**
       * Format: uuid
       * @description The turn of the current attempt: what an answer to a question names.
       */
      turnId: string | null;
      /**
       * @description Always `AGENT_INVOKE`.
       * @enum {string}
       */
      type: 'AGENT_INVOKE';
    };
    /** @description A job with its metadata. */
    JobView: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /** @description Number of the current attempt; 0 before the first. */
      attempt: number;
      /** @description URL that is called at the end; null for none. */
      callbackUrl: string | null;
      /**
       * Format: date-time
       * @description Time at which it was asked to stop; null if it was not.
       */
      cancelRequestedAt: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['JobError'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * Format: date-time
       * @description Time of the last sign of life; null before the start.
       */
      heartbeatAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Input of the job. */
      input: components['schemas']['ShownJobInput'];
      /** @description The open question of a job that waits for one. */
      interaction: {
        [key: string]: unknown;
      } | null;
      /** @description Most attempts. */
      maxAttempts: number;
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * @description Phase of the job.
       * @enum {string}
       */
      phase:
        | 'QUEUED'
        | 'RUNNING'
        | 'RETRYING'
        | 'WAITING_INPUT'
        | 'CANCELLING'
        | 'SUCCEEDED'
        | 'FAILED'
        | 'CANCELLED'
        | 'TIMED_OUT';
      /** @description Priority, 0 to 9. Higher values run first. */
      priority: number;
      /** @description Never goes back. */
      progress: number;
      /** @description Progress for people; null before there is any. */
      progressMessage: string | null;
      /** @description The result of the execution. */
      result: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
      /** @description Time limit of the job in seconds. */
      timeoutSeconds: number;
      /**
       * Format: uuid
       * @description The turn of the current attempt: what an answer to a question names.
       */
      turnId: string | null;
      /**
       * @description Always `AGENT_INVOKE`.
       * @enum {string}
       */
      type: 'AGENT_INVOKE';
    };
    /** @description A JSON Web Key Set (RFC 7517). */
    Jwks: {
      /** @description Public keys. Tokens name theirs in `kid`. */
      keys: components['schemas']['PublicJwk'][];
    };
    /** @description Limits of a key besides its scopes. A missing limit is unlimited; 0 and an empty list allow nothing. */
    KeyLimits: {
      /** @description Agents that the key may call, by id; an empty list allows none. */
      agents?: string[];
      /** @description Tokens a day (UTC). */
      dailyTokens?: number;
      /** @description Models of the relay that the key may call; an empty list allows none. */
      models?: string[];
      /** @description Tokens a calendar month (UTC). */
      monthlyTokens?: number;
      /** @description Requests a minute. */
      requestsPerMinute?: number;
    };
    /** @description Tokens used of one limit. */
    KeyTokenUse: {
      /** @description Null: no limit. */
      cap: number | null;
      /** @description Held by calls that run. */
      reserved: number;
      /**
       * Format: date-time
       * @description Time at which the count is reset.
       */
      resetsAt: string;
      /** @description Tokens used. */
      used: number;
    };
    /** @description Tokens that a key has used of its limits. */
    KeyUsage: {
      /** @description Tokens of the current day. */
      dailyTokens: components['schemas']['KeyTokenUse'];
      /** @description Tokens of the current month. */
      monthlyTokens: components['schemas']['KeyTokenUse'];
    };
    /** @description Whether a key works. `valid: false` comes without a reason. */
    KeyValidity: {
      /**
       * Format: date-time
       * @description Time at which the key expires; null if it does not.
       */
      expiresAt?: string | null;
      /**
       * Format: uuid
       * @description Id of the API key.
       */
      keyId?: string;
      /** @description Scopes of the key. */
      scopes?: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /**
       * @description Type of the key.
       * @enum {string}
       */
      type?: 'USER' | 'SYSTEM' | 'OPERATOR';
      /** @description Whether the key works in this Space. */
      valid: boolean;
    };
    /** @description A dataset that is searched before the model answers. */
    KnowledgeSource: {
      /**
       * Format: uuid
       * @description Id of the dataset.
       */
      datasetId: string;
      /** @description Least similarity of a record, 0 to 1. */
      minScore?: number;
      /** @description Records to retrieve, 5 unless given. */
      topK?: number;
    };
    /** @description Latency in one interval. */
    LatencyAt: {
      /**
       * Format: date-time
       * @description When the hour or the day begins in which these turns were started.
       */
      at: string;
      /** @description Turns that came to their end, well or not. Cancelled ones are left out. */
      count: number;
      /** @description Those of them that failed. */
      failed: number;
      /** @description Duration of the slowest one. */
      longestMs: number | null;
      /** @description Half of them took no longer; within 5%. */
      p50Ms: number | null;
      /** @description 95 of 100 took no longer; within 5%. */
      p95Ms: number | null;
    };
    /** @description Null if no turn has ended. */
    LatencyNumbers: {
      /** @description Turns that came to their end, well or not. Cancelled ones are left out. */
      count: number;
      /** @description Those of them that failed. */
      failed: number;
      /** @description Duration of the slowest one. */
      longestMs: number | null;
      /** @description Half of them took no longer; within 5%. */
      p50Ms: number | null;
      /** @description 95 of 100 took no longer; within 5%. */
      p95Ms: number | null;
    };
    /** @description A change of the balance. */
    LedgerRow: {
      /**
       * Format: uuid
       * @description Id of the agent; null if none was involved.
       */
      agentId: string | null;
      /** @description Balance after the change. */
      balanceAfter: number;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Id of the API key; null if none was used. */
      keyId: string | null;
      /** @description Id of the model; null for credits. */
      model: string | null;
      /** @description Note of a credit; null for none. */
      note: string | null;
      /** @description Source of the model call; null for credits. */
      source: string | null;
      /** @description Signed: what this entry added to the balance. */
      tokens: number;
      /**
       * Format: uuid
       * @description Id of the turn; null if none was involved.
       */
      turnId: string | null;
      /**
       * @description Kind of the change.
       * @enum {string}
       */
      type: 'CREDIT' | 'SETTLEMENT' | 'CORRECTION';
      /**
       * Format: uuid
       * @description Id of the user; null if none is known.
       */
      userId: string | null;
    };
    /** @description Links the account of the caller with an external identity. */
    LinkIdentityBody: {
      /** @description A token of the external issuer. */
      token: string;
    };
    /** @description A tool that the host application runs. */
    LocalTool: {
      /** @description Description for the model. */
      description: string;
      /** @description Name of the tool, as the model calls it. */
      name: string;
      /** @description JSON Schema of the arguments. */
      parameters: {
        [key: string]: unknown;
      };
    };
    /** @description Signs in with e-mail address and password. */
    LoginBody: {
      /**
       * @description E-mail address of the account.
       * @example ada@example.com
       */
      email: string;
      /** @description Password of the account. */
      password: string;
      /**
       * Format: uuid
       * @description The Space to open. Without it: the oldest membership of the account that the password opens.
       */
      spaceId?: string;
    };
    /** @description The declaration of an application. */
    Manifest: {
      /** @description Events that the application declares. */
      events: components['schemas']['ManifestEvent'][];
      /**
       * @description Identifier of the application, unique in the Space.
       * @example shop
       */
      identifier: string;
      /** @description Name of the application. */
      name: string;
      /** @description Default subscriptions, created on installation. */
      subscriptions?: components['schemas']['ManifestSubscription'][];
      /**
       * @description Version of the manifest (SemVer).
       * @example 1.0.0
       */
      version: string;
    };
    /** @description An event that an application declares. */
    ManifestEvent: {
      /** @description Description for people. */
      description?: string;
      /** @description Writes to a dataset that emit the event. */
      emitOn?: components['schemas']['EmitOn'];
      /**
       * @description Name of the event.
       * @example order.created
       */
      name: string;
      /** @description JSON Schema (2020-12) that every payload must fit. Patterns are of the linear kind: no look-around, no back-references. */
      schema: {
        [key: string]: unknown;
      };
    };
    /** @description A subscription that comes with the application: to a task of the Space, or to one of the application. */
    ManifestSubscription: {
      /** @description Whether the subscription starts executions. */
      active?: boolean;
      /** @description Name of the event. */
      event: string;
      /** @description Filter of the subscription. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description The body of an EVENT task to create. */
      task?: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description Or the id of a task that is there already.
       */
      taskId?: string;
    };
    /** @description An approval rule that matches a call. */
    MatchingRule: {
      /**
       * @description Owner of the rule: the agent or the Space.
       * @enum {string}
       */
      from: 'AGENT' | 'SPACE';
      /** @description Its place among the rules of the agent or of the Space, from 0. */
      index: number;
      /** @description The rule. */
      rule: components['schemas']['ApprovalRule'];
    };
    /** @description An MCP server as callers configure it. Header values are write-only secrets. */
    McpServerInput: {
      /** @description All tools unless given. */
      allowedTools?: string[];
      /** @description Sent with every request; stored encrypted. Values may name `{{ secrets.NAME }}`, at most 20 of them. 32 KiB in all when filled in. */
      headers?: {
        [key: string]: string;
      };
      /** @description Name of the server, unique in the agent. */
      name: string;
      /** @description Streamable HTTP address. */
      url: string;
    };
    /** @description An MCP server of an agent, without the values of its headers. */
    McpServerView: {
      /** @description Tools that the model may call. Missing: all. */
      allowedTools?: string[];
      /** @description Names of the stored headers; their values stay inside. */
      headerNames?: string[];
      /** @description Name of the server. */
      name: string;
      /** @description The secrets of the Space that the headers name. */
      secretNames?: string[];
      /** @description URL of the server. */
      url: string;
    };
    /** @description A tool of an MCP server. */
    McpToolView: {
      /** @description Whether the agent may use it: allowedTools includes it, and its definition is the approved one. */
      allowed: boolean;
      /** @description Hints of the server about the tool. */
      annotations: {
        [key: string]: unknown;
      };
      /** @description Description for people. */
      description: string | null;
      /** @description JSON Schema of the arguments. */
      inputSchema: {
        [key: string]: unknown;
      };
      /** @description Name of the tool. */
      name: string;
      /** @description Name of the server. */
      server: string;
      /**
       * @description `changed`: its definition is not the approved one. `new`: it was never approved. It is not offered until it is approved.
       * @enum {string}
       */
      withheld?: 'changed' | 'new';
    };
    /** @description The caller, its Space and its credential. */
    Me: {
      /** @description The credential of the request. */
      credential: components['schemas']['CredentialView'];
      /** @description Account features of the platform. */
      platform?: components['schemas']['PlatformView'];
      /**
       * @description Role in the Space; null for a key of an operator.
       * @enum {string|null}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER' | null;
      /** @description The Space of the credential; null for a key of an operator. */
      space: components['schemas']['SpaceView'] | null;
      /** @description The user; null for a key of an operator. */
      user: components['schemas']['UserView'] | null;
    };
    /** @description Confirms the removal of a member. */
    MemberRemoved: {
      /** @description Whether it was deleted. */
      deleted: boolean;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Active NATS accounts whose seed the person was shown, if there are any: rotate them. */
      knows?: components['schemas']['ExposedNatsAccount'][];
    };
    /** @description A member of a Space. */
    MemberView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description E-mail address of the member. */
      email: string;
      /** @description In the answer that makes the invitation, and never again. */
      invitation?: components['schemas']['InvitationView'];
      /** @description The invited address, where the member joined with an account of another address. */
      invitedEmail?: string;
      /** @description Name for people. */
      name: string;
      /**
       * @description Role of the member.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
      /**
       * @description Whether the invitation was accepted.
       * @enum {string}
       */
      status: 'ACTIVE' | 'INVITED';
      /**
       * Format: uuid
       * @description Until an invitation is accepted, the id of the invitation.
       */
      userId: string;
    };
    /** @description The corrected text of a memory. */
    MemoryCorrection: {
      /** @description Replaces what was there; not blank. */
      text: string;
    };
    /** @description A memory of an agent about one user, given to the model in later turns of that user. */
    MemoryView: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Text of the memory. */
      text: string;
      /**
       * Format: uuid
       * @description The turn that saved it; null where that was not recorded.
       */
      turnId: string | null;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /**
       * Format: uuid
       * @description The user whom it is about.
       */
      userId: string;
    };
    /** @description Tokens and cost of a model call. */
    MessageUsage: {
      /** @description Output tokens. */
      completionTokens: number;
      /** @description Cost of the call. */
      cost?: number;
      /** @description Input tokens. */
      promptTokens: number;
      /** @description Tokens in total. */
      totalTokens: number;
    };
    /** @description A message or an event of a session. */
    MessageView: {
      /** @description Content items of the message, in order. */
      content: components['schemas']['ContentItem'][];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description The event, for the role `event`. */
      event?: {
        [key: string]: unknown;
      };
      /** @description Why the model stopped. */
      finishReason?: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Id of the model. */
      model?: string;
      /** @description Name of the tool. */
      name?: string;
      /** @description Reasoning of the model. It is never sent to a model again. */
      reasoning?: string;
      /**
       * @description Author of the message.
       * @enum {string}
       */
      role: 'user' | 'assistant' | 'tool' | 'event';
      /** @description Contiguous within the session, from 1. */
      seq: number;
      /**
       * Format: uuid
       * @description Id of the session.
       */
      sessionId: string;
      /** @description Tokens of the model call. */
      tokenUsage?: components['schemas']['MessageUsage'];
      /** @description Id of the tool call that a tool's message answers. */
      toolCallId?: string;
      /** @description Tool calls of an assistant's message. */
      toolCalls?: components['schemas']['ToolCallRecord'][];
      /**
       * Format: uuid
       * @description Id of the turn; null if it belongs to none.
       */
      turnId: string | null;
    };
    /** @description Sampling defaults of an agent; a call may override them. */
    ModelSettings: {
      /** @description Penalty for tokens by how often they have occurred. */
      frequency_penalty?: number;
      /** @description Most tokens the answer may have. */
      max_tokens?: number;
      /** @description Penalty for tokens that have occurred. */
      presence_penalty?: number;
      /** @description Sampling temperature, 0 to 2. */
      temperature?: number;
      /** @description Nucleus sampling: only the most likely tokens with this total probability are considered. */
      top_p?: number;
    };
    /** @description Limits of an account, as those of an API key, and the applications that it emits for. */
    NatsAccountLimits: {
      /** @description Agents that the key may call, by id; an empty list allows none. */
      agents?: string[];
      /** @description Identifiers of the applications whose events the account emits; without the list, none. */
      applications?: string[];
      /** @description Tokens a day (UTC). */
      dailyTokens?: number;
      /** @description Models of the relay that the key may call; an empty list allows none. */
      models?: string[];
      /** @description Tokens a calendar month (UTC). */
      monthlyTokens?: number;
      /** @description Requests a minute. */
      requestsPerMinute?: number;
    };
    /** @description Beginnings of the subjects of an account, without the last dot. */
    NatsAccountSubjects: {
      /** @description Events that the platform delivers to the account. */
      deliver: string;
      /** @description The inbox prefix that a client has to set. */
      inbox: string;
      /** @description Requests of the account to the platform. */
      request: string;
    };
    /** @description An account of a service of the Space on NATS, without its seed. */
    NatsAccountView: {
      /**
       * Format: uuid
       * @description Id of the account where records have the id of a user.
       */
      actorId: string;
      /**
       * Format: date-time
       * @description Time at which a server had loaded the user; null before it.
       */
      admittedAt: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Id of the account, a token of its subjects. It is never reused. */
      id: string;
      /**
       * Format: date-time
       * @description Time of the last use; null if it was never used.
       */
      lastUsedAt: string | null;
      /** @description Only the limits that are set. */
      limits: components['schemas']['NatsAccountLimits'];
      /** @description Name of the account, unique among the active ones of the Space. */
      name: string;
      /** @description Public key of the NATS user. */
      publicKey: string;
      /**
       * Format: date-time
       * @description Time of the revocation; null if it is not revoked.
       */
      revokedAt: string | null;
      /**
       * @description Role of the account in the Space.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
      /** @description Scopes of the account. `*` stands for almost all. */
      scopes: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /**
       * Format: uuid
       * @description Id of the Space.
       */
      spaceId: string;
      /**
       * @description Whether the account may send requests.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED';
      /** @description Subjects of the account. */
      subjects: components['schemas']['NatsAccountSubjects'];
      /** @description Address of the NATS server for services; empty while the NATS API is off. */
      url: string;
    };
    /** @description An account with the seed of its NATS user, which is shown once. A repeated request returns it without. */
    NatsAccountWithSeed: {
      /**
       * Format: uuid
       * @description Id of the account where records have the id of a user.
       */
      actorId: string;
      /**
       * Format: date-time
       * @description Time at which a server had loaded the user; null before it.
       */
      admittedAt: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Id of the account, a token of its subjects. It is never reused. */
      id: string;
      /**
       * Format: date-time
       * @description Time of the last use; null if it was never used.
       */
      lastUsedAt: string | null;
      /** @description Only the limits that are set. */
      limits: components['schemas']['NatsAccountLimits'];
      /** @description Name of the account, unique among the active ones of the Space. */
      name: string;
      /** @description Public key of the NATS user. */
      publicKey: string;
      /**
       * Format: date-time
       * @description Time of the revocation; null if it is not revoked.
       */
      revokedAt: string | null;
      /**
       * @description Role of the account in the Space.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
      /** @description Scopes of the account. `*` stands for almost all. */
      scopes: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
      /** @description The seed: shown once, stored nowhere. None where the caller gave a public key. */
      seed?: string;
      /**
       * Format: uuid
       * @description Id of the Space.
       */
      spaceId: string;
      /**
       * @description Whether the account may send requests.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED';
      /** @description Subjects of the account. */
      subjects: components['schemas']['NatsAccountSubjects'];
      /** @description Address of the NATS server for services; empty while the NATS API is off. */
      url: string;
    };
    /** @description The revision that a server has loaded. */
    NatsRevisionLoaded: {
      /** @description The revision of the list that was loaded. */
      revision: number;
    };
    /** @description The newest revision, and the highest that a server has reported as loaded. */
    NatsRevisionView: {
      /** @description The highest revision that was reported as loaded. */
      loadedRevision: number;
      /** @description Rises with each change that a server has to load. */
      revision: number;
    };
    /** @description Owner of a new Space: an existing user, or an e-mail address to invite. */
    NewOwner: {
      /**
       * @description E-mail address of the owner.
       * @example ada@example.com
       */
      email?: string;
      /** @description Makes an account of the Space with this password. Without it the person is invited. */
      password?: string;
      /**
       * Format: uuid
       * @description An account that is there, in place of an e-mail address.
       */
      userId?: string;
    };
    /** @description No fields. An empty object is accepted. */
    Nothing: Record<string, never>;
    /** @description Handling of records whose unique values already exist. */
    OnConflict: {
      /**
       * @description Update the existing record, or skip the new one.
       * @enum {string}
       */
      action: 'UPDATE' | 'SKIP';
      /** @description A unique field. */
      field: string;
    };
    /** @description An operator's key. It opens the routes under `/operator`, and no Space. */
    OperatorKeyView: {
      /**
       * Format: uuid
       * @description Always null.
       */
      applicationId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description The operator who made it; null: the platform itself.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: date-time
       * @description Time at which the key expires; null if it does not.
       */
      expiresAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Last four characters of the value. */
      last4: string;
      /**
       * Format: date-time
       * @description Time of the last use; null if it was never used.
       */
      lastUsedAt: string | null;
      /** @description Name for people. */
      name: string;
      /**
       * Format: date-time
       * @description Time of the revocation; null if it is not revoked.
       */
      revokedAt: string | null;
      /** @description Scopes of the key. */
      scopes: ('operator:read' | 'operator:write' | 'operator:nats')[];
      /**
       * @description Whether the key works.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /**
       * @description Always `OPERATOR`.
       * @enum {string}
       */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    /** @description An operator key with its value, which is shown once. */
    OperatorKeyWithValue: {
      /**
       * Format: uuid
       * @description Always null.
       */
      applicationId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description The operator who made it; null: the platform itself.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: date-time
       * @description Time at which the key expires; null if it does not.
       */
      expiresAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description The value: shown once, stored nowhere. */
      key?: string;
      /** @description Last four characters of the value. */
      last4: string;
      /**
       * Format: date-time
       * @description Time of the last use; null if it was never used.
       */
      lastUsedAt: string | null;
      /** @description Name for people. */
      name: string;
      /**
       * Format: date-time
       * @description Time of the revocation; null if it is not revoked.
       */
      revokedAt: string | null;
      /** @description Scopes of the key. */
      scopes: ('operator:read' | 'operator:write' | 'operator:nats')[];
      /**
       * @description Whether the key works.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /**
       * @description Always `OPERATOR`.
       * @enum {string}
       */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    /** @description An account of any Space, for the servers that load its NATS user. */
    OperatorNatsAccountView: {
      /** @description Id of the account, a token of its subjects. */
      id: string;
      /** @description Name for people. */
      name: string;
      /** @description The user before the last rotation, while its grace runs. */
      previous: components['schemas']['PreviousNatsUser'] | null;
      /** @description Public key of the NATS user. */
      publicKey: string;
      /**
       * Format: uuid
       * @description Id of the Space.
       */
      spaceId: string;
      /**
       * @description Only the user of an active account is loaded.
       * @enum {string}
       */
      status: 'ACTIVE' | 'REVOKED';
    };
    /** @description A Space for operators: its limits and usage, not its contents. */
    OperatorSpaceView: {
      /** @description Tokens. */
      balance: number;
      /** @description Stored bytes. */
      bytesStored: number;
      /** @description Upper limits of the Space. */
      ceilings: components['schemas']['Ceilings'];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Of the OWNER: in the answer that makes the Space, and never again. */
      invitation?: components['schemas']['InvitationView'];
      /** @description Number of members. */
      members: number;
      /** @description Name for people. */
      name: string;
      /** @description The twenty who have been OWNER longest. */
      owners: components['schemas']['SpaceOwner'][];
      /** @description The Space or user whose share of the platform it uses. */
      payer: components['schemas']['Payer'];
      /**
       * @description Whether the Space is suspended.
       * @enum {string}
       */
      status: 'ACTIVE' | 'SUSPENDED';
      /** @description Why it is suspended; null while it is not. */
      suspendedReason: string | null;
      /** @description Its balance stops nothing; tokens are counted all the same. */
      unmetered: boolean;
      /** @description Since the first of the month (UTC). */
      usageThisMonth: components['schemas']['SpaceUsage'];
    };
    /** @description A field that is over a limit that did not exist when it was stored. Up to four times the limit it is used, and other fields may be changed; beyond that it is not read, and shown empty. */
    Oversized: {
      /** @description Of the field, as JSON. */
      bytes: number;
      /** @description The limit in bytes. */
      limit: number;
      /**
       * @description The field.
       * @example steps
       */
      path: string;
    };
    /** @description Position of the page in the list. */
    Page: {
      /** @description Most rows per page. */
      limit: number;
      /** @description `cursor` of the next page; null on the last page. */
      nextCursor: string | null;
    };
    /** @description A one-time token to choose a new password. */
    PasswordResetView: {
      /**
       * Format: date-time
       * @description The token works until then.
       */
      expiresAt: string;
      /** @description Shown once; give it to the owner of the account. Absent when the answer is an idempotent replay. */
      token?: string;
    };
    /** @description The account whose share of workers, turns, connections, bytes and tokens a Space uses. */
    Payer: {
      /**
       * Format: uuid
       * @description Id of the payer.
       */
      id: string;
      /**
       * @description Kind of the payer.
       * @enum {string}
       */
      kind: 'space' | 'user';
    };
    /** @description An event of any Space, or of the platform: its accounts, operators and their keys. */
    PlatformEventView: {
      /**
       * @description Name of the event, such as `api-key.created`.
       * @example agent.access-changed
       */
      action: string;
      /** @description User or service that acted. */
      actor: components['schemas']['EventActor'];
      /**
       * Format: uuid
       * @description Id of the user who did it; null if no user did.
       */
      actorUserId: string | null;
      /**
       * Format: date-time
       * @description Time of the event.
       */
      at: string;
      /** @description Id of the credential; null if none was used. */
      credentialId: string | null;
      /** @description Details of the event. */
      details: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Id of the request. */
      requestId: string;
      /**
       * Format: uuid
       * @description Null where the event concerns no Space.
       */
      spaceId: string | null;
      /** @description Object of the action. */
      target: string | null;
    };
    /** @description Account features enabled in the platform's configuration. */
    PlatformView: {
      /** @description Whether an OWNER credits tokens to the own Space. */
      ownersMayCredit: boolean;
      /**
       * @description Who may create Spaces: only operators, or every member.
       * @enum {string}
       */
      spaceCreation: 'OPERATOR' | 'MEMBERS';
      /** @description For operators: what of it needs their attention. */
      warning?: string;
    };
    /** @description Work that was given up because its process died twice. Its content is not shown. */
    PoisonedWorkView: {
      /**
       * Format: date-time
       * @description When it was given up.
       */
      at: string;
      /**
       * Format: uuid
       * @description Of the turn, the execution and so on; of a schedule its task.
       */
      id: string;
      /** @description Kind of work: `turn`, `execution`, `job`, `emission`, `schedule`, `message`, `import`, `callback`. */
      kind: string;
      /** @description How often its process ended while it ran. */
      losses: number;
      /**
       * Format: uuid
       * @description Id of the Space; null if the work belongs to none.
       */
      spaceId: string | null;
    };
    /** @description The NATS user before a rotation, until its grace ends. */
    PreviousNatsUser: {
      /** @description Public key of the NATS user. */
      publicKey: string;
      /**
       * Format: date-time
       * @description End of the grace.
       */
      until: string;
    };
    /** @description A variable of a system prompt. */
    PromptVariable: {
      /** @description Used when a call gives no value. */
      default?: unknown;
      /** @description Description of the variable. */
      description?: string;
      /** @description The name between the braces. */
      name: string;
      /** @description Calls without a value are refused unless there is a default. */
      required?: boolean;
    };
    /** @description One public key of the JWKS (RFC 7517). */
    PublicJwk: {
      /** @description Algorithm. */
      alg: string;
      /** @description Curve of an elliptic-curve key. */
      crv?: string;
      /** @description Exponent of an RSA key. */
      e?: string;
      /** @description Id of the key. */
      kid: string;
      /** @description Type of the key. */
      kty: string;
      /** @description Modulus of an RSA key. */
      n?: string;
      /** @description Use of the key: `sig`. */
      use: string;
      /** @description X coordinate of an elliptic-curve key. */
      x?: string;
      /** @description Y coordinate of an elliptic-curve key. */
      y?: string;
    };
    /** @description Selects the records to count. */
    RecordsCount: {
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
    };
    /** @description A search by the meaning of a text. */
    RecordSearch: {
      /** @description Fields of the answer; where vector fields are among them, only those are searched. */
      fields?: string[];
      /** @description Only records that fulfil it are ranked. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Leaves out records of a lower score; in hybrid search that is the fused score, of at most 2/61. */
      minScore?: number;
      /** @description Text that the records should match. */
      query: string;
      /** @description How many records (default 10). */
      topK?: number;
    };
    /** @description Selects and sorts records. */
    RecordsQuery: {
      /** @description The `nextCursor` of the page before. */
      cursor?: string;
      /** @description Only these fields, and the id. */
      fields?: string[];
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Only these records. */
      ids?: string[];
      /** @description Records of one page (default 50). */
      limit?: number;
      /** @description Number of records to skip. */
      offset?: number;
      /** @description Newest first unless given. */
      sort?: components['schemas']['SortKey'][];
    };
    /** @description Selects the records to delete. */
    RecordsToDelete: {
      /** @description Says that every record is meant. */
      all?: boolean;
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Ids of the records. */
      ids?: string[];
    };
    /** @description Records to insert. */
    RecordsToInsert: {
      /** @description Handling of records whose unique values already exist. Default: reject the request. */
      onConflict?: components['schemas']['OnConflict'];
      /** @description All are written, or none. */
      records: {
        [key: string]: unknown;
      }[];
    };
    /** @description Selects records, and sets fields of them. */
    RecordsToUpdate: {
      /** @description Says that every record is meant. */
      all?: boolean;
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Ids of the records. */
      ids?: string[];
      /** @description New values; null clears an optional field. */
      set: {
        [key: string]: unknown;
      };
    };
    /** @description A refresh token. */
    RefreshTokenBody: {
      /** @description The refresh token. */
      refreshToken: string;
    };
    /** @description An event that an installed application declares. */
    RegisteredEventView: {
      /** @description Whether the application still declares the event. */
      active: boolean;
      /** @description Identifier of the application. */
      appIdentifier: string;
      /**
       * Format: uuid
       * @description Id of the application; null if no application is involved.
       */
      applicationId: string | null;
      /** @description Description for people. */
      description: string | null;
      /** @description Writes to a dataset that emit the event; null for none. */
      emitOn: components['schemas']['EmitOn'] | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /** @description JSON Schema of the payload. */
      schema: {
        [key: string]: unknown;
      };
      /** @description JSON pointers to formats in an older schema that are not checked. */
      uncheckedFormats?: string[];
    };
    /** @description Body of every error of the routes for OpenAI clients: the flat body, and `error` as in the OpenAI API. */
    RelayError: components['schemas']['Error'] & {
      /** @description The error as in the OpenAI API. */
      error: {
        /** @description Code of the upstream if it gave one, else the code of the platform. */
        code: string;
        /** @description Message for people. */
        message: string;
        /** @description The invalid parameter; null if no parameter is. */
        param: string | null;
        /** @description Kind of the error, such as `invalid_request_error`. */
        type: string;
      };
    };
    /** @description Outcome of a replay. */
    Replayed: {
      /**
       * Format: uuid
       * @description Id of the envelope, the record of the emission.
       */
      envelopeId: string;
      /** @description Number of matched subscriptions. */
      matchedSubscriptions: number;
      /** @description Number of the replay, from 1. */
      replay: number;
    };
    /** @description Which deliveries to send again. */
    ReplayEndpointBody: {
      /**
       * Format: date-time
       * @description Emitted at this time or later.
       */
      from: string;
      /**
       * @description Status of the latest delivery of the envelope to this endpoint. Default `FAILED`.
       * @enum {string}
       */
      status?: 'FAILED' | 'DELIVERED' | 'DISCARDED';
      /**
       * Format: date-time
       * @description Emitted before this time.
       */
      to?: string;
    };
    /** @description Where to replay an envelope. */
    ReplayEnvelopeBody: {
      /**
       * Format: uuid
       * @description Only to this endpoint: no task is started. Needs the role ADMIN. Default: all matching subscriptions.
       */
      endpointId?: string;
    };
    /** @description Inputs of the new execution. Missing: the inputs of the first one. */
    RerunExecutionBody: {
      /** @description In place of the Idempotency-Key header. */
      idempotencyKey?: string;
      /** @description Override the task's default inputs. If omitted, the inputs of the old execution. */
      inputs?: {
        [key: string]: unknown;
      };
    };
    /** @description A new password, with the token of a reset. */
    ResetPasswordBody: {
      /** @description The new password, at least 12 characters. */
      password: string;
      /** @description The token that an operator has made for the account. */
      token: string;
    };
    /** @description A response request, as in the OpenAI API. Fields that agents do not support are rejected by name. */
    ResponsesBody: {
      /** @description Whether to return at once and run in the background. */
      background?: boolean | null;
      /** @description The id of a conversation, or an object with it. */
      conversation?: unknown;
      /** @description Only `reasoning.encrypted_content` is supported. */
      include?: unknown;
      /** @description A text, or items. */
      input: unknown;
      /** @description The caller’s own words before the input. */
      instructions?: string | null;
      /** @description Most tokens of the answer. */
      max_output_tokens?: number | null;
      /** @description Not supported: values other than null are rejected. */
      max_tool_calls?: unknown;
      /** @description At most 16 pairs of texts, given back with the answer. */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /** @description The id of an agent. */
      model: string;
      /** @description Only `true` is supported; other values are rejected. */
      parallel_tool_calls?: unknown;
      /** @description Id of the response that this one continues. */
      previous_response_id?: string | null;
      /** @description Not supported: values other than null are rejected. */
      prompt?: unknown;
      /** @description Accepted and ignored. */
      prompt_cache_key?: string | null;
      /** @description Accepted and ignored. */
      prompt_cache_retention?: string | null;
      /** @description Only `summary` is supported; the agent sets the rest. */
      reasoning?: unknown;
      /** @description Accepted and ignored. */
      safety_identifier?: string | null;
      /** @description Only `auto` and `default` are supported. */
      service_tier?: string | null;
      /** @description False: no session; nothing is kept but usage. */
      store?: boolean | null;
      /** @description Whether to answer with server-sent events. */
      stream?: boolean | null;
      /** @description Options of the stream. */
      stream_options?: unknown;
      /** @description Sampling temperature. Higher values give more varied answers. */
      temperature?: number | null;
      /** @description `format`: text or json_schema. */
      text?: unknown;
      /** @description Only `auto` is supported; other values are rejected. */
      tool_choice?: unknown;
      /** @description Tools of the type function. */
      tools?: unknown;
      /** @description Only 0 is supported. */
      top_logprobs?: unknown;
      /** @description Nucleus sampling: only the most likely tokens with this total probability are considered. */
      top_p?: number | null;
      /** @description `auto` or `disabled`. The platform compacts the context by itself. */
      truncation?: unknown;
      /** @description Accepted and ignored: the credential names the user. */
      user?: string | null;
    };
    /** @description Answers an interaction. */
    ResumeBody: {
      /**
       * Format: uuid
       * @description Id of the interaction to answer.
       */
      interactionId: string;
      /** @description The answer in own words, where the form allows one. */
      otherText?: string | null;
      /** @description Ids of options, not labels. */
      selectedOptionIds: string[];
      /**
       * Format: uuid
       * @description Id of the session of the turn.
       */
      sessionId: string;
    };
    /** @description Attempts in total, including the first; the delay doubles each time. */
    RetryRule: {
      /** @description Delay before the first retry, in seconds. It doubles each time. */
      backoffSeconds: number;
      /** @description Most attempts, the first included. */
      maxAttempts: number;
    };
    /** @description Retries. Missing fields have their default. */
    RetryRuleInput: {
      /**
       * @description Delay before the first retry, in seconds. It doubles each time.
       * @default 1
       */
      backoffSeconds?: number;
      /**
       * @description Most attempts, the first included.
       * @default 1
       */
      maxAttempts?: number;
    };
    /** @description Rotates the value of a key. */
    RotateApiKeyBody: {
      /** @description Seconds for which the old value stays valid (default 0). */
      graceSeconds?: number;
    };
    /** @description How long the former secret signs beside the new one. */
    RotateEndpointSecretBody: {
      /** @description Both secrets sign for so many seconds. Default 86,400. */
      graceSeconds?: number;
    };
    /** @description Gives an account a new NATS user. */
    RotateNatsAccountBody: {
      /**
       * @description Seconds for which the old user stays valid.
       * @default 0
       */
      graceSeconds?: number;
      /** @description Public key of a NATS user of your own. */
      publicKey?: string;
    };
    /** @description `RunAgentInput` of AG-UI 1.0. */
    RunAgentBody: {
      /** @description Pieces of `{description, value}`, told before the newest message. */
      context?: unknown;
      /** @description Taken and without effect. */
      forwardedProps?: unknown;
      /** @description Messages of the conversation, newest last. */
      messages: unknown;
      /** @description Taken and without effect. */
      parentRunId?: string | null;
      /** @description Taken and without effect. */
      protocolVersion?: string | null;
      /** @description The answer to an interrupt: `[{interruptId, status, payload}]`. */
      resume?: unknown;
      /** @description The turn, where it is a UUID. The same run never runs twice. */
      runId: string;
      /** @description Taken and without effect. */
      state?: unknown;
      /** @description The session; made when unknown. */
      threadId: string;
      /** @description Tools of the client, for this run. */
      tools?: unknown;
    };
    /** @description Finished steps of all. */
    RunProgress: {
      /** @description Number of finished steps. */
      done: number;
      /** @description Number of steps. */
      total: number;
    };
    /** @description The short status, for polling. */
    RunView: {
      /** @description The id of the step that is running. */
      currentStep: string | null;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['ExecutionError'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Finished steps of all. */
      progress: components['schemas']['RunProgress'];
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
      /**
       * @description Status of the execution.
       * @enum {string}
       */
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT' | 'SKIPPED';
      /**
       * Format: uuid
       * @description Id of the task.
       */
      taskId: string;
    };
    /** @description Filters of a list of assistants. */
    SearchAssistants: {
      /** @description The id of an agent. */
      graph_id?: string | null;
      /**
       * @description Most items of the answer.
       * @default 10
       */
      limit?: number;
      /** @description Agents have none: must be empty. */
      metadata?: unknown;
      /** @description Part of the name. */
      name?: string | null;
      /**
       * @description Number of assistants to skip.
       * @default 0
       */
      offset?: number;
      /** @description Fields of the answer. */
      select?: string[] | null;
      /**
       * @description Field to sort by.
       * @default created_at
       * @enum {string|null}
       */
      sort_by?: 'assistant_id' | 'graph_id' | 'name' | 'created_at' | 'updated_at' | null;
      /**
       * @description Direction of the order.
       * @default desc
       * @enum {string|null}
       */
      sort_order?: 'asc' | 'desc' | null;
    };
    /** @description A record and how well it matches. */
    SearchHit: {
      /** @description The record. */
      record: {
        [key: string]: unknown;
      };
      /** @description Cosine similarity to six decimals, 1 for the same text; for hybrid search the fused score: the sum of 1 / (60 + place) over both rankings. */
      score: number;
    };
    /** @description An agent, a task or an endpoint that uses a secret. */
    SecretUser: {
      /**
       * Format: uuid
       * @description Id of the agent, task or endpoint.
       */
      id: string;
      /**
       * @description Kind of the user of the secret.
       * @enum {string}
       */
      kind: 'task' | 'agent' | 'endpoint';
      /** @description Name for people. */
      name: string;
    };
    /** @description A secret of a Space, without its value. */
    SecretView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /** @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere. */
      hosts: string[];
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      lastUsedAt: string | null;
      /**
       * @description Name of the secret. Steps and tools refer to it.
       * @example CRM_TOKEN
       */
      name: string;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Grows with every new value. */
      version: number;
    };
    /** @description A secret with the agents, tasks and endpoints that use it. */
    SecretWithUsers: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the user who created it; null if that user is not known.
       */
      createdBy: string | null;
      /** @description Description for people. */
      description: string | null;
      /** @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere. */
      hosts: string[];
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      lastUsedAt: string | null;
      /**
       * @description Name of the secret. Steps and tools refer to it.
       * @example CRM_TOKEN
       */
      name: string;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description The tasks, agents and endpoints that name it. */
      usedBy: components['schemas']['SecretUser'][];
      /** @description Grows with every new value. */
      version: number;
    };
    /** @description An entry of the log of security events. */
    SecurityEventView: {
      /**
       * @description Name of the event, such as `api-key.created`.
       * @example agent.access-changed
       */
      action: string;
      /** @description User or service that acted. */
      actor: components['schemas']['EventActor'];
      /**
       * Format: uuid
       * @description Id of the user who did it; null if no user did.
       */
      actorUserId: string | null;
      /**
       * Format: date-time
       * @description Time of the event.
       */
      at: string;
      /** @description Id of the credential; null if none was used. */
      credentialId: string | null;
      /** @description Details of the event. */
      details: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Id of the request. */
      requestId: string;
      /** @description Object of the action. */
      target: string | null;
    };
    /** @description Changes of a session. Given fields are replaced, the others stay. */
    SessionChanges: {
      /** @description Replaces what was there. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description New title. */
      title?: string;
    };
    /** @description A session in a list, without its metadata. */
    SessionSummary: {
      /**
       * Format: uuid
       * @description Id of the active turn; null if there is none.
       */
      activeTurnId: string | null;
      /**
       * Format: uuid
       * @description Null until the first turn, where none was named.
       */
      agentId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: date-time
       * @description Time of the last message; null before the first.
       */
      lastMessageAt: string | null;
      /** @description User, assistant and tool messages. */
      messageCount: number;
      /**
       * @description Status of the session.
       * @enum {string}
       */
      status: 'ACTIVE' | 'DELETED';
      /** @description Null until it is given or the first message is stored. */
      title: string | null;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /**
       * Format: uuid
       * @description Id of the user.
       */
      userId: string;
    };
    /** @description A session with its metadata. */
    SessionView: {
      /**
       * Format: uuid
       * @description Id of the active turn; null if there is none.
       */
      activeTurnId: string | null;
      /**
       * Format: uuid
       * @description Null until the first turn, where none was named.
       */
      agentId: string | null;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: date-time
       * @description Time of the last message; null before the first.
       */
      lastMessageAt: string | null;
      /** @description User, assistant and tool messages. */
      messageCount: number;
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata: {
        [key: string]: unknown;
      };
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /**
       * @description Status of the session.
       * @enum {string}
       */
      status: 'ACTIVE' | 'DELETED';
      /** @description Null until it is given or the first message is stored. */
      title: string | null;
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /**
       * Format: uuid
       * @description Id of the user.
       */
      userId: string;
    };
    /** @description A record of a tree of causes. Records that the caller may not see are `hidden`. */
    ShownCause: {
      /**
       * Format: uuid
       * @description Of a turn.
       */
      agentId?: string | null;
      /** @description Cost of the model calls of this record. */
      cost?: number | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt?: string | null;
      /** @description True where the caller may not see it. */
      hidden?: boolean;
      /** @description Null where the caller may not see it. */
      id: string | null;
      /** @description Unique within the answer. */
      key: string;
      /**
       * @description Kind of the record.
       * @enum {string}
       */
      kind:
        | 'turn'
        | 'execution'
        | 'job'
        | 'emission'
        | 'delivery'
        | 'step'
        | 'tool_call'
        | 'model_call'
        | 'record_write';
      /** @description Name for people. */
      name?: string | null;
      /** @description Null for the root alone. */
      parentKey: string | null;
      /**
       * Format: uuid
       * @description Of a turn; null where it has no session.
       */
      sessionId?: string | null;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt?: string | null;
      /** @description Status of the record. */
      status?: string | null;
      /** @description Of the node and all below it. */
      tokens?: number | null;
    };
    /** @description A job's input, or its size if it is too long to be shown. */
    ShownJobInput: {
      /** @description Of the JSON of what is not shown. */
      bytes?: number;
      /** @description In a single record: the path that has all of it. */
      content?: string;
      /** @description Content items, as in a chat. */
      contents?: components['schemas']['ContentItem'][];
      /** @description Inputs, as in an execute. */
      inputs?: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description The conversation that the run belongs to.
       */
      session_id?: string;
      /** @description Settings, as in a chat or an execute. */
      settings?: {
        [key: string]: unknown;
      };
      /** @description It is longer than it is shown here. */
      truncated?: boolean;
    };
    /** @description Tokens, with the user and the Space. */
    SignedIn: {
      /** @description Access token for `Authorization: Bearer`. */
      accessToken: string;
      /** @description Seconds until the access token ends. */
      expiresIn: number;
      /** @description Token for new tokens, valid once. */
      refreshToken: string;
      /** @description Null: an operator who belongs to no Space. */
      space: components['schemas']['SpaceView'] | null;
      /**
       * @description Always `Bearer`.
       * @enum {string}
       */
      tokenType: 'Bearer';
      /** @description The user. */
      user: components['schemas']['UserView'];
    };
    /** @description A field to sort by. */
    SortKey: {
      /**
       * @description Ascending unless given.
       * @enum {string}
       */
      direction?: 'asc' | 'desc' | 'ASC' | 'DESC';
      /** @description Name of the field. */
      field: string;
    };
    /** @description Id and name of a Space. */
    SpaceName: {
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
    };
    /** @description A Space and the role of the account in it. */
    SpaceOfAccount: {
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
      /**
       * @description Role of the account in the Space.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
    };
    /** @description Owner of a Space. */
    SpaceOwner: {
      /** @description E-mail address of the owner. */
      email: string;
      /** @description Name for people. */
      name: string;
      /**
       * Format: uuid
       * @description Id of the user.
       */
      userId: string;
    };
    /** @description A Space's own settings; missing ones use the platform's default. */
    SpaceSettings: {
      /** @description Calls of tools that need an approval, whichever agent of the Space makes them. */
      approvals?: components['schemas']['ApprovalRule'][];
      /** @description Traces hold what was said to models and tools, secrets masked, where the platform's operator allows it. Off unless set. */
      captureContent?: boolean;
      /** @description Tokens a day; none unless set. */
      dailyTokenCap?: number;
      /** @description Agent jobs side by side. */
      jobConcurrency?: number;
      /** @description Model calls stop below this balance, less what running calls have reserved. */
      minimumBalance?: number;
      /** @description Tokens of one request. */
      requestTokenCap?: number;
      /** @description Task executions side by side. */
      taskConcurrency?: number;
    };
    /** @description Usage of a Space. */
    SpaceUsage: {
      /** @description Number of model calls. */
      calls: number;
      /** @description Cost of the model calls. */
      cost: number;
      /** @description Tokens used. */
      tokens: number;
    };
    /** @description Current usage under each ceiling, at most a minute old; null if the counting service is unavailable. */
    SpaceUsed: {
      /** @description Number of agents. */
      agents: number | null;
      /** @description Bytes of records. */
      bytes: number;
      /** @description Tokens of this day (UTC). */
      dailyTokens: number | null;
      /** @description Number of datasets. */
      datasets: number | null;
      /** @description Bytes of stored files. */
      fileBytes: number;
      /** @description Active ones. */
      keys: number;
      /** @description Members and open invitations. */
      members: number;
      /** @description Tokens of this month (UTC). */
      monthlyTokens: number | null;
      /** @description Number of records. */
      records: number;
      /** @description Number of tasks. */
      tasks: number | null;
    };
    /** @description A Space and the caller's role in it. */
    SpaceView: {
      /** @description Limits that an operator of the platform has set. Only ADMIN and OWNER see them. */
      ceilings?: components['schemas']['Ceilings'];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
      /** @description Why callbacks cannot be signed, such as a `webhookSecret` that cannot be decrypted after the loss of a key, and how to mend it. Absent if there is nothing. Only for ADMIN and up. */
      problem?: string;
      /**
       * @description The caller's role in it.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
      /** @description Settings of the Space. */
      settings: components['schemas']['SpaceSettings'];
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Shown to ADMIN and up. */
      used?: components['schemas']['SpaceUsed'];
      /** @description Signs the callbacks of jobs; shown to ADMIN and up. */
      webhookSecret?: string;
    };
    /** @description Emissions by status. */
    StatusCounts: {
      /** @description Emissions that were dispatched. */
      DISPATCHED: number;
      /** @description Emissions that failed. */
      FAILED: number;
      /** @description Emissions that wait for dispatch. */
      PENDING: number;
      /** @description Emissions that were skipped, for instance by the depth guard. */
      SKIPPED: number;
      /** @description Emissions in total. */
      total: number;
    };
    /** @description A step of an execution. */
    StepView: {
      /** @description Number of the attempt; 0 before the first. */
      attempt: number;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['ExecutionError'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /** @description Id of the step, unique in the task. */
      id: string;
      /** @description `with` after its templates were filled in. */
      input: unknown;
      /** @description Output of the step; null before its end. */
      output: unknown;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string | null;
      /**
       * @description SKIPPED: its `if` said no, or the execution has ended before it was reached.
       * @enum {string}
       */
      status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED' | 'CANCELLED';
      /**
       * @description Type of the step.
       * @enum {string}
       */
      type: 'agent' | 'http' | 'dataset' | 'emit' | 'transform' | 'wait';
    };
    /** @description A new job. */
    SubmitJobBody: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /** @description Gets one signed POST (Standard Webhooks) when the job has ended. */
      callbackUrl?: string;
      /** @description In place of the Idempotency-Key header; kept for 30 days. */
      idempotencyKey?: string;
      /** @description Input of the agent. */
      input: components['schemas']['JobInputBody'];
      /**
       * @description Most attempts.
       * @default 3
       */
      maxAttempts?: number;
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description 9 runs first.
       * @default 5
       */
      priority?: number;
      /**
       * @description For all attempts together; the time that a person takes to answer does not count.
       * @default 900
       */
      timeoutSeconds?: number;
      /**
       * @description Always `AGENT_INVOKE`.
       * @enum {string}
       */
      type: 'AGENT_INVOKE';
    };
    /** @description A subscription of a task or an endpoint to an event. */
    SubscriptionView: {
      /** @description Whether the subscription starts executions. */
      active: boolean;
      /** @description Identifier of the application. */
      appIdentifier: string;
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /**
       * Format: uuid
       * @description Id of the endpoint; null for a task.
       */
      endpointId: string | null;
      /** @description Name of the event. */
      event: string;
      /**
       * Format: uuid
       * @description Id of the registered event.
       */
      eventId: string;
      /** @description Filter of the subscription; null for every emission. */
      filter: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * @description Whether the application or a user created it.
       * @enum {string}
       */
      origin: 'DEFAULT' | 'USER';
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /**
       * Format: uuid
       * @description Id of the task; null for an endpoint.
       */
      taskId: string | null;
    };
    /** @description Suspends a Space. */
    SuspendSpaceBody: {
      /** @description Shown to the people of the Space. */
      reason: string;
    };
    /** @description The Space to switch to. */
    SwitchSpace: {
      /**
       * Format: uuid
       * @description Id of the Space to switch to.
       */
      spaceId: string;
    };
    /** @description Changes of a task. Given fields are replaced, the others stay. */
    TaskChanges: {
      /**
       * @description Whether schedules and events start the task.
       * @default true
       */
      active?: boolean;
      /** @description Limit of executions that run at the same time. */
      concurrency?: components['schemas']['TaskConcurrencyInput'];
      /** @description Description for people. */
      description?: string | null;
      /** @description Defaults of the inputs of every execution. */
      inputs?: {
        [key: string]: unknown;
      };
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description New name. */
      name?: string;
      /** @description Retries of the whole execution. */
      retry?: components['schemas']['RetryRuleInput'];
      /** @description Schedule of a task of type `SCHEDULE`. */
      schedule?: components['schemas']['TaskScheduleInput'] | null;
      /** @description Steps of the task, run in order. */
      steps?: components['schemas']['TaskStep'][];
      /**
       * @description Time limit of an execution in seconds.
       * @default 3600
       */
      timeoutSeconds?: number;
      /**
       * @description Trigger of the task: an API call, a schedule, or events.
       * @default MANUAL
       * @enum {string}
       */
      type?: 'MANUAL' | 'SCHEDULE' | 'EVENT';
    };
    /** @description Limit of executions that run at the same time. */
    TaskConcurrency: {
      /** @description Most executions that run at the same time. */
      limit: number;
      /**
       * @description Over the limit: wait, or record the execution as SKIPPED.
       * @enum {string}
       */
      policy: 'QUEUE' | 'SKIP';
    };
    /** @description Limit of executions that run at the same time. Missing fields have their default. */
    TaskConcurrencyInput: {
      /**
       * @description Most executions that run at the same time.
       * @default 5
       */
      limit?: number;
      /**
       * @description Above the limit: queue the execution, or record it as `SKIPPED`.
       * @default QUEUE
       * @enum {string}
       */
      policy?: 'QUEUE' | 'SKIP';
    };
    /** @description Schedule of a task. */
    TaskSchedule: {
      /**
       * @description Five fields: minute, hour, day of month, month, day of week.
       * @example 0 9 * * 1-5
       */
      cron: string;
      /**
       * @description Handling of due times that passed while nothing could run.
       * @enum {string}
       */
      misfire: 'SKIP' | 'RUN_ONCE';
      /**
       * @description IANA name.
       * @example Europe/Berlin
       */
      timezone: string;
    };
    /** @description Schedule of a task. Missing fields have their default. */
    TaskScheduleInput: {
      /**
       * @description Five fields: minute, hour, day of month, month, day of week.
       * @example 0 9 * * 1-5
       */
      cron: string;
      /**
       * @description Handling of due times that passed while nothing could run.
       * @default SKIP
       * @enum {string}
       */
      misfire?: 'SKIP' | 'RUN_ONCE';
      /**
       * @description IANA name of the time zone.
       * @default UTC
       */
      timezone?: string;
    };
    /** @description One step of a task. Strings in `with`, and `if`, are templates: `{{ path | filter }}` over `execution.inputs` and `steps.<id>.output`; nothing else is evaluated. */
    TaskStep: {
      /** @description Whether the execution continues if this step fails. */
      continueOnError?: boolean;
      /**
       * @description Id of the step, unique in the task. Later steps refer to it as `steps.<id>.output`.
       * @example fetch
       */
      id: string;
      /** @description One template; the step runs when its value is truthy. */
      if?: string;
      /** @description Retries of this step. */
      retry?: components['schemas']['RetryRuleInput'];
      /**
       * @description Type of the step. It decides the fields of `with`.
       * @enum {string}
       */
      type: 'agent' | 'http' | 'dataset' | 'emit' | 'transform' | 'wait';
      /** @description Fields of the step, by its type. */
      with: {
        [key: string]: unknown;
      };
    };
    /** @description A task in a list, without its steps, inputs and metadata. */
    TaskSummary: {
      /** @description Whether schedules and events start the task. */
      active: boolean;
      /** @description Limit of executions that run at the same time. */
      concurrency: components['schemas']['TaskConcurrency'];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
      /**
       * Format: date-time
       * @description Time of the next run; null if none is planned.
       */
      nextRunAt: string | null;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /**
       * Format: uuid
       * @description Every execution acts as this person.
       */
      ownerId: string | null;
      /** @description Retries of the whole execution. */
      retry: components['schemas']['RetryRule'];
      /** @description Schedule; null for the other types. */
      schedule: components['schemas']['TaskSchedule'] | null;
      /** @description Time limit of an execution in seconds. */
      timeoutSeconds: number;
      /**
       * @description Trigger of the task: an API call, a schedule, or events.
       * @enum {string}
       */
      type: 'MANUAL' | 'SCHEDULE' | 'EVENT';
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Number of the current version, from 1. */
      version: number;
    };
    /** @description Runs, failures and cost of a task over a period. */
    TaskUsage: {
      /** @description True: at least one status has more than 10,000 runs, so `runs` and `failed` are minimums. */
      atLeast: boolean;
      /** @description Cost of the agent steps of `costOf` runs. */
      cost: number;
      /** @description The number of runs that `tokens` and `cost` are of: the newest of the period, at most 500. */
      costOf: number;
      /** @description Those of them that are FAILED or TIMED_OUT. */
      failed: number;
      /**
       * Format: date-time
       * @description Start of the period.
       */
      from: string;
      /**
       * Format: date-time
       * @description When the newest run was created, also before the period.
       */
      lastRunAt: string | null;
      /** @description Runs created in the period in any status but SKIPPED. */
      runs: number;
      /**
       * Format: date-time
       * @description End of the period.
       */
      to: string;
      /** @description Tokens that the agent steps of `costOf` runs used. */
      tokens: number;
    };
    /** @description A task with its steps. */
    TaskView: {
      /** @description Whether schedules and events start the task. */
      active: boolean;
      /** @description Limit of executions that run at the same time. */
      concurrency: components['schemas']['TaskConcurrency'];
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description Description for people. */
      description: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Default inputs of an execution. */
      inputs: {
        [key: string]: unknown;
      };
      /** @description JSON of the caller. The platform stores and returns it, and does not read it. */
      metadata: {
        [key: string]: unknown;
      };
      /** @description Name for people. */
      name: string;
      /**
       * Format: date-time
       * @description Time of the next run; null if none is planned.
       */
      nextRunAt: string | null;
      /** @description Fields that exceed a limit which did not exist when they were stored. */
      oversized?: components['schemas']['Oversized'];
      /**
       * Format: uuid
       * @description Every execution acts as this person.
       */
      ownerId: string | null;
      /** @description Retries of the whole execution. */
      retry: components['schemas']['RetryRule'];
      /** @description Schedule; null for the other types. */
      schedule: components['schemas']['TaskSchedule'] | null;
      /** @description Steps of the task, run in order. */
      steps: components['schemas']['TaskStep'][];
      /** @description Time limit of an execution in seconds. */
      timeoutSeconds: number;
      /**
       * @description Trigger of the task: an API call, a schedule, or events.
       * @enum {string}
       */
      type: 'MANUAL' | 'SCHEDULE' | 'EVENT';
      /**
       * Format: date-time
       * @description Time of the last change.
       */
      updatedAt: string;
      /** @description Number of the current version, from 1. */
      version: number;
    };
    /** @description A recent emission that matches the filter. */
    TestedEmission: {
      /**
       * Format: date-time
       * @description Time of the emission.
       */
      emittedAt: string;
      /**
       * Format: uuid
       * @description The envelope.
       */
      id: string;
      /** @description Whether a subscription with this filter would run its task. */
      matches: boolean;
    };
    /** @description The event of a test. */
    TestEndpointBody: {
      /** @description Identifier of the application, with `event`. */
      appIdentifier?: string;
      /** @description A registered event: an example of its payload is sent. Without it the type is `endpoint.test`. */
      event?: string;
    };
    /** @description A filter to test against recent emissions. */
    TestFilterBody: {
      /** @description Null matches every payload. */
      filter: {
        [key: string]: unknown;
      } | null;
    };
    /** @description A record and the rank of its match. */
    TextHit: {
      /** @description An excerpt of each field that has the words. */
      highlight?: {
        [key: string]: string;
      };
      /** @description Rank of the match. Higher is better. */
      rank: number;
      /** @description The record. */
      record: {
        [key: string]: unknown;
      };
    };
    /** @description A search by words. */
    TextSearch: {
      /** @description `nextCursor` of the previous page. */
      cursor?: string;
      /** @description The full-text fields to look in; all of them unless given. */
      fields?: string[];
      /** @description Only records that fulfil it are ranked. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Adds excerpts with the words in `<mark>`; the rest is HTML-escaped. */
      highlight?: boolean;
      /** @description Records of one page (default 50). */
      limit?: number;
      /** @description Words, "phrases", `or`, and `-words` that must not occur. */
      query: string;
    };
    /** @description A command of LangGraph's protocol. */
    ThreadCommand: {
      /** @description Id of the command. The answer repeats it. */
      id: number;
      /** @description `run.start`, `run.cancel` or `input.respond`. */
      method: string;
      /** @description Parameters of the command. */
      params?: {
        [key: string]: unknown;
      };
    };
    /** @description Selects the events of a stream. */
    ThreadEvents: {
      /** @description Channels to receive. */
      channels: string[];
      /** @description Accepted and ignored: agents have no subgraphs. */
      depth?: number | null;
      /** @description Events have the empty namespace. */
      namespaces?: string[][] | null;
      /** @description Only events with a greater `seq`. */
      since?: number | null;
    };
    /** @description Page of a history. */
    ThreadHistory: {
      /** @description Not supported. */
      before?: unknown;
      /** @description Not supported. */
      checkpoint?: unknown;
      /**
       * @description Most items of the answer.
       * @default 10
       */
      limit?: number;
      /** @description Not supported. */
      metadata?: unknown;
      /** @description Not supported. */
      select?: unknown;
    };
    /** @description A tool call of the model. */
    ToolCallRecord: {
      /** @description The arguments as parsed JSON. */
      arguments: unknown;
      /** @description Id of the tool call. */
      id: string;
      /** @description Name of the tool. */
      name: string;
    };
    /** @description Result or error of a local tool call. */
    ToolResultBody: {
      /** @description Id of the tool call. */
      callId: string;
      /** @description Why it failed, in place of a result. */
      error?: string;
      /** @description Result of the tool; may be null. Give either this or `error`. */
      result?: unknown;
      /**
       * Format: uuid
       * @description Id of the session of the turn; optional.
       */
      sessionId?: string | null;
    };
    /** @description The accepted result. */
    ToolResultOutcome: {
      /** @description Id of the tool call. */
      call_id: string;
      /**
       * Format: uuid
       * @description Id of the turn.
       */
      turn_id: string;
    };
    /** @description A Space and how much it uses. */
    TopSpace: {
      /** @description Null if the Space was deleted. */
      name: string | null;
      /**
       * Format: uuid
       * @description Id of the Space.
       */
      spaceId: string;
      /** @description Value of the measure. */
      value: number;
    };
    /** @description The step to try: `stepId` or `step`. */
    TryStepBody: {
      /** @description In place of the Idempotency-Key header. */
      idempotencyKey?: string;
      /** @description In place of `stepId`: a step that is not saved. It needs the scopes `tasks:write` and `tasks:read`, and runs as the caller. */
      step?: components['schemas']['TaskStep'];
      /** @description Id of a step of the task, run as it is saved. */
      stepId?: string;
    };
    /** @description Why a turn failed. */
    TurnError: {
      /** @description Error code. */
      code: string;
      /** @description Message for people. */
      message: string;
      /** @description False where the same request would be refused again. */
      retryable?: boolean;
      /**
       * Format: date-time
       * @description When the same request may pass, where a limit said so.
       */
      retryAt?: string;
    };
    /** @description A turn. */
    TurnView: {
      /**
       * Format: uuid
       * @description Id of the agent.
       */
      agentId: string;
      /** @description Error of the failure; null if it did not fail. */
      error: components['schemas']['TurnError'] | null;
      /**
       * Format: date-time
       * @description Time of the end; null before it.
       */
      finishedAt: string | null;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /**
       * Format: uuid
       * @description Id of the session; null if the turn has none.
       */
      sessionId: string | null;
      /**
       * Format: date-time
       * @description Time of the start; null before it.
       */
      startedAt: string;
      /**
       * @description Status of the turn.
       * @enum {string}
       */
      status: 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
    };
    /** @description An MCP server, or one of its tools, that is not available. */
    UnavailableMcpServer: {
      /** @description Why it is not available. */
      reason: string;
      /** @description Name of the server. */
      server: string;
      /** @description Where one tool alone is not available. */
      tool?: string;
    };
    /** @description Changes of an API key. Given fields are replaced, the others stay. */
    UpdateApiKeyBody: {
      /** @description New description; null removes it. */
      description?: string | null;
      /**
       * Format: date-time
       * @description Time at which the key expires; null for never.
       */
      expiresAt?: string | null;
      /** @description Limits to change. */
      limits?: components['schemas']['ChangeKeyLimits'];
      /** @description New name. */
      name?: string;
      /** @description Can only shrink, but for approvals:answer, which a person of at least the role of the key may add. */
      scopes?: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
    };
    /** @description Number of updated records. */
    Updated: {
      /** @description Number of updated records. */
      updated: number;
    };
    /** @description Changes of an account. Given fields are replaced, the others stay. */
    UpdateNatsAccountBody: {
      /** @description Limits to change. */
      limits?: components['schemas']['ChangeNatsAccountLimits'];
      /** @description New name. */
      name?: string;
      /**
       * @description New role; it can only shrink.
       * @enum {string}
       */
      role?: 'VIEWER' | 'MEMBER' | 'ADMIN';
      /** @description New scopes; they can only shrink. */
      scopes?: (
        | 'agents:read'
        | 'agents:write'
        | 'agents:call'
        | 'sessions:read'
        | 'sessions:write'
        | 'jobs:read'
        | 'jobs:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'tasks:execute'
        | 'datasets:read'
        | 'datasets:write'
        | 'keys:read'
        | 'keys:write'
        | 'events:read'
        | 'events:write'
        | 'events:emit'
        | 'models:call'
        | 'spaces:read'
        | 'spaces:write'
        | 'secrets:read'
        | 'secrets:write'
        | 'mcp:call'
        | 'approvals:answer'
        | '*'
      )[];
    };
    /** @description Changes of a secret. Given fields are replaced, the others stay. */
    UpdateSecretBody: {
      /** @description Description for people. */
      description?: string | null;
      /** @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere. */
      hosts?: string[];
      /** @description A new value holds within a second, also for runs in progress. */
      value?: string;
    };
    /** @description Changes of a Space. Given fields are replaced, the others stay. */
    UpdateSpaceBody: {
      /** @description New name. */
      name?: string;
      /** @description Settings to change. */
      settings?: components['schemas']['ChangeSettings'];
    };
    /** @description Tokens and cost of a turn. */
    UsageReport: {
      /** @description Output tokens. */
      completion_tokens: number;
      /** @description Cost of the model calls. */
      cost: number;
      /** @description Input tokens. */
      prompt_tokens: number;
      /** @description Tokens in total. */
      total_tokens: number;
    };
    /** @description One group of model calls. The name of its first field is the `groupBy` of the request. */
    UsageRow: {
      /** @description Agent of the group. */
      agent?: string | null;
      /** @description Number of model calls. */
      calls: number;
      /** @description Output tokens. */
      completionTokens: number;
      /** @description Cost of the model calls. */
      cost: number;
      /** @description Day of the group (UTC). */
      day?: string | null;
      /** @description API key of the group. */
      key?: string | null;
      /** @description Model of the group. */
      model?: string | null;
      /** @description Input tokens. */
      promptTokens: number;
      /** @description Source of the calls of the group. */
      source?: string | null;
      /** @description Tokens in total. */
      tokens: number;
      /** @description User of the group. */
      user?: string | null;
    };
    /** @description A user. */
    UserView: {
      /**
       * Format: date-time
       * @description Time of creation.
       */
      createdAt: string;
      /** @description E-mail address. */
      email: string;
      /**
       * Format: uuid
       * @description Unique id.
       */
      id: string;
      /** @description Name for people. */
      name: string;
      /** @description Only where the account runs the platform. */
      operator?: boolean;
      /**
       * @description `SERVICE` for the account of a service.
       * @enum {string}
       */
      type?: 'SERVICE';
    };
    /** @description A key to check. A malformed key is answered like an unknown one. */
    ValidateApiKeyBody: {
      /** @description A text of any kind. */
      key: string;
    };
    /** @description The secret that signs callbacks. */
    WebhookSecret: {
      /**
       * @description The new secret. It is shown once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
       */
      webhookSecret: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
