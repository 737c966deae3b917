// Generated from the contracts; do not edit. After a change of the API: npm run generate
export interface components {
  schemas: {
    AcceptInvitationBody: {
      /** @description The password of a new account. Left out by a signed-in user, whose account joins the Space. */
      password?: string;
      /** @description The token of the invitation. */
      token: string;
    };
    AccountView: {
      /** Format: date-time */
      createdAt: string;
      email: string;
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      lastSignInAt: string | null;
      name: string;
      operator: boolean;
      /** @description The Spaces that the account belongs to; in a list the oldest hundred. */
      spaces: components['schemas']['SpaceOfAccount'][];
      /** @enum {string} */
      status: 'ACTIVE' | 'DISABLED';
    };
    ActivityCount: {
      count: number;
      /** @enum {string} */
      kind: 'turn' | 'execution' | 'job' | 'emission';
      /** @enum {string} */
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
    ActivityRow: {
      /** Format: uuid */
      agentId: string | null;
      /** Format: uuid */
      causationId: string | null;
      /** Format: uuid */
      correlationId: string | null;
      cost: number | null;
      /**
       * Format: date-time
       * @description When it was recorded: the list is ordered by this, and `from` and `to` mean it.
       */
      createdAt: string;
      /** Format: date-time */
      finishedAt: string | null;
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: 'turn' | 'execution' | 'job' | 'emission';
      /** @description The session's title, the task's, agent's or event's name. */
      name: string | null;
      /** Format: uuid */
      sessionId: string | null;
      /** Format: date-time */
      startedAt: string | null;
      /** @enum {string} */
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
      /** Format: uuid */
      taskId: string | null;
      /** @description Charged for its model calls so far; null for emissions. */
      tokens: number | null;
      /** Format: uuid */
      userId: string | null;
    };
    AddMemberBody: {
      /** @example ada@example.com */
      email: string;
      /** @description Makes an account of this Space with this password. Without it the person is invited. */
      password?: string;
      /** @enum {string} */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
    };
    AgentChanges: {
      /** @enum {string} */
      accessScope?: 'SPACE' | 'RESTRICTED';
      /** @enum {string} */
      agentType?: 'CHAT' | 'TASK';
      allowedUserIds?: string[];
      /** @description Which calls of tools need an approval before they run. */
      approvals?: components['schemas']['ApprovalRule'][];
      description?: string | null;
      fallbackModels?: string[];
      knowledge?: components['schemas']['KnowledgeSource'][];
      localTools?: components['schemas']['LocalTool'][];
      maxSteps?: number | null;
      mcpServers?: components['schemas']['McpServerInput'][];
      metadata?: {
        [key: string]: unknown;
      };
      model?: string;
      name?: string;
      promptVariables?: components['schemas']['PromptVariable'][];
      /** @description JSON Schema (2020-12) that the answer of execute must match. Patterns are of the linear kind: no look-around, no back-references. */
      responseSchema?: {
        [key: string]: unknown;
      } | null;
      settings?: components['schemas']['ModelSettings'];
      systemPrompt?: string;
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
    AgentLatency: {
      /** Format: date-time */
      from: string;
      /** @enum {string} */
      interval: 'hour' | 'day';
      /** @description Oldest first; without those in which no turn has ended. */
      overTime: components['schemas']['LatencyAt'][];
      /** Format: date-time */
      to: string;
      /** @description Of the whole time. */
      total: components['schemas']['LatencyNumbers'];
    };
    AgentSummary: {
      /** @enum {string} */
      accessScope: 'SPACE' | 'RESTRICTED';
      /** @enum {string} */
      agentType: 'CHAT' | 'TASK';
      allowedUserIds: string[];
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      fallbackModels: string[];
      /** Format: uuid */
      id: string;
      knowledge: components['schemas']['KnowledgeSource'][];
      /** @description Model steps of one turn; the limit of the deployment when null. */
      maxSteps: number | null;
      model: string;
      name: string;
      oversized?: components['schemas']['Oversized'];
      promptVariables: components['schemas']['PromptVariable'][];
      settings: components['schemas']['ModelSettings'];
      /** @description Built in: callable from every Space, read-only. */
      system: boolean;
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
      /** Format: date-time */
      updatedAt: string;
      version: number;
    };
    AgentVersionSummary: {
      agent: components['schemas']['AgentSummary'];
      /** Format: uuid */
      agentId: string;
      /** Format: uuid */
      changedBy: string | null;
      /** Format: date-time */
      createdAt: string;
      version: number;
    };
    AgentVersionView: {
      agent: components['schemas']['AgentView'];
      /** Format: uuid */
      agentId: string;
      /** Format: uuid */
      changedBy: string | null;
      /** Format: date-time */
      createdAt: string;
      version: number;
    };
    AgentView: {
      /** @enum {string} */
      accessScope: 'SPACE' | 'RESTRICTED';
      /** @enum {string} */
      agentType: 'CHAT' | 'TASK';
      allowedUserIds: string[];
      approvals: components['schemas']['ApprovalRule'][];
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      fallbackModels: string[];
      /** Format: uuid */
      id: string;
      knowledge: components['schemas']['KnowledgeSource'][];
      localTools: components['schemas']['LocalTool'][];
      /** @description Model steps of one turn; the limit of the deployment when null. */
      maxSteps: number | null;
      mcpServers: components['schemas']['McpServerView'][];
      metadata: {
        [key: string]: unknown;
      };
      model: string;
      name: string;
      oversized?: components['schemas']['Oversized'];
      promptVariables: components['schemas']['PromptVariable'][];
      responseSchema: {
        [key: string]: unknown;
      } | null;
      settings: components['schemas']['ModelSettings'];
      /** @description Built in: callable from every Space, read-only. */
      system: boolean;
      systemPrompt: string;
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
      /** @description Where responseSchema, stored before, asks for formats that are not checked: as JSON pointers. */
      uncheckedFormats?: string[];
      /** Format: date-time */
      updatedAt: string;
      version: number;
    };
    ApiKeyView: {
      /** Format: uuid */
      applicationId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      /** Format: date-time */
      expiresAt: string | null;
      /** Format: uuid */
      id: string;
      last4: string;
      /** Format: date-time */
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
      name: string;
      /** Format: date-time */
      revokedAt: string | null;
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
      /** @enum {string} */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /** @enum {string} */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    ApiKeyWithValue: {
      /** Format: uuid */
      applicationId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      /** Format: date-time */
      expiresAt: string | null;
      /** Format: uuid */
      id: string;
      /** @description The value: shown once, stored nowhere. */
      key?: string;
      last4: string;
      /** Format: date-time */
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
      name: string;
      /** Format: date-time */
      revokedAt: string | null;
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
      /** @enum {string} */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /** @enum {string} */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    ApplicationView: {
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      identifier: string;
      /** Format: uuid */
      installedBy: string | null;
      manifest: components['schemas']['Manifest'];
      name: string;
      oversized?: components['schemas']['Oversized'];
      /** @enum {string} */
      status: 'INSTALLED';
      /**
       * Format: uuid
       * @description The record of the system key; its value is shown once.
       */
      systemKeyId: string | null;
      /** Format: date-time */
      updatedAt: string;
      version: string;
    };
    ApplicationWithKey: {
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      identifier: string;
      /** Format: uuid */
      installedBy: string | null;
      manifest: components['schemas']['Manifest'];
      name: string;
      oversized?: components['schemas']['Oversized'];
      /** @enum {string} */
      status: 'INSTALLED';
      /** @description Absent when the answer is an idempotent replay. */
      systemApiKey?: string;
      /**
       * Format: uuid
       * @description The record of the system key; its value is shown once.
       */
      systemKeyId: string | null;
      /** Format: date-time */
      updatedAt: string;
      version: string;
    };
    ApprovalCall: {
      arguments: unknown;
      call_id: string;
      /** @description SHA-256 of the RFC 8785 form of the arguments, in hex. */
      digest: string;
      name: string;
      /** @enum {string} */
      source: 'builtin' | 'mcp' | 'local';
    };
    ApprovalRule: {
      /**
       * @description Who may approve: USER (the user of the turn) unless given. OTHER: a MEMBER or higher who is not the user of the turn. Where OTHER and ADMIN both apply, an ADMIN who is not the user of the turn.
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
    ApprovalVerdict: {
      /**
       * @description Who would have to approve it; null: it runs at once.
       * @enum {string|null}
       */
      by: 'USER' | 'ADMIN' | 'OTHER' | 'OTHER_ADMIN' | null;
      /** @description SHA-256 of the RFC 8785 form of the arguments, in hex. */
      digest: string;
      matches: components['schemas']['MatchingRule'][];
      /** @description What a person would be asked. */
      question: components['schemas']['InteractionForm'] | null;
    };
    ApproveMcpToolsBody: {
      /** @description One server of the agent; all when not said. */
      server?: string;
    };
    AudioUrl: {
      /** @description An HTTP(S) URL or a base64 `data:` URI. */
      url: string;
    };
    BalanceView: {
      balance: number;
      dailyCap: number | null;
      /** @description Used since midnight UTC. */
      dailyUsed: number;
      minimumBalance: number | null;
      /** @description Held for calls that are under way. */
      reserved: number;
      /**
       * Format: date-time
       * @description When dailyUsed starts again at 0.
       */
      resetsAt: string;
    };
    CancelBody: {
      /** Format: uuid */
      sessionId?: string | null;
    };
    CancelOutcome: {
      status: string;
      /** Format: uuid */
      turn_id: string;
    };
    CauseTotals: {
      cost: number;
      tokens: number;
    };
    CauseTree: {
      nodes: components['schemas']['ShownCause'][];
      /** @description The key of the node that all goes back to. */
      root: string;
      /** @description What the ledger has charged for all of it. */
      totals: components['schemas']['CauseTotals'];
      /** @description Whether there are more nodes than the answer shows. */
      truncated: boolean;
    };
    Ceilings: {
      /** @description Agents; system agents do not count. */
      agents: number | null;
      /** @description Bytes of all datasets together. */
      bytes: number | null;
      /** @description Tokens of a day (UTC). */
      dailyTokens: number | null;
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
      tasks: number | null;
    };
    ChangeCeilings: {
      agents?: number | null;
      bytes?: number | null;
      dailyTokens?: number | null;
      datasets?: number | null;
      fileBytes?: number | null;
      jobConcurrency?: number | null;
      keys?: number | null;
      members?: number | null;
      monthlyTokens?: number | null;
      records?: number | null;
      requestsPerMinute?: number | null;
      taskConcurrency?: number | null;
      tasks?: number | null;
    };
    ChangeDataset: {
      description?: string | null;
      name?: string;
      /** @description The whole list: every field there is, unchanged, and any new optional ones. */
      schema?: components['schemas']['DatasetSchema'];
    };
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
    ChangeOperatorSpaceBody: {
      /** @description Given ones are set, null takes one back to the default, the others stay. */
      ceilings?: components['schemas']['ChangeCeilings'];
      name?: string;
      /**
       * Format: uuid
       * @description The id of the Space that pays, or null: the Space itself.
       */
      payer?: string | null;
      unmetered?: boolean;
    };
    ChangePassword: {
      currentPassword: string;
      newPassword: string;
    };
    ChangeRoleBody: {
      /** @enum {string} */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
    };
    ChangeSettings: {
      approvals?: components['schemas']['ApprovalRule'][] | null;
      captureContent?: boolean | null;
      dailyTokenCap?: number | null;
      jobConcurrency?: number | null;
      minimumBalance?: number | null;
      requestTokenCap?: number | null;
      taskConcurrency?: number | null;
    };
    ChangeSubscription: {
      active?: boolean;
      filter?: {
        [key: string]: unknown;
      } | null;
    };
    ChatAnswer: {
      answer: string;
      content: components['schemas']['ContentItem'][];
      evidence: {
        [key: string]: unknown;
      }[];
      /** @description Seconds. */
      execution_time: number;
      finish_reason: string | null;
      /** @description The question that waits for an answer. */
      interaction: components['schemas']['InteractionView'] | null;
      /** Format: uuid */
      message_id: string | null;
      /** @description The parsed answer, where the turn had a responseSchema. */
      output?: unknown;
      /** @description What the model thought in this turn, where its upstream shows it: the first 524288 characters. */
      reasoning?: string;
      /** Format: uuid */
      session_id: string;
      /** @enum {string} */
      status: 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
      token_usage: components['schemas']['UsageReport'];
      tokens_used: number;
      tool_executions: {
        [key: string]: unknown;
      }[];
      /** Format: uuid */
      turn_id: string;
    };
    ChatBody: {
      /** @description What the user says. */
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
      settings?: components['schemas']['ChatSettings'];
      /** @default true */
      stream?: boolean;
      /**
       * Format: uuid
       * @description One UUID per user turn; a retry with it never runs the turn twice.
       */
      turnId?: string;
    };
    ChatCompletionsBody: {
      audio?: unknown;
      frequency_penalty?: number | null;
      function_call?: unknown;
      functions?: unknown;
      logit_bias?: unknown;
      logprobs?: unknown;
      max_completion_tokens?: number | null;
      max_tokens?: number | null;
      /** @description The history of this call alone, the newest message last. */
      messages: unknown;
      metadata?: {
        [key: string]: unknown;
      } | null;
      modalities?: unknown;
      /** @description The id of an agent. */
      model: string;
      n?: unknown;
      parallel_tool_calls?: unknown;
      prediction?: unknown;
      presence_penalty?: number | null;
      prompt_cache_key?: string | null;
      prompt_cache_retention?: string | null;
      reasoning_effort?: unknown;
      /** @description `text` or `json_schema`. */
      response_format?: unknown;
      safety_identifier?: string | null;
      seed?: unknown;
      service_tier?: string | null;
      stop?: unknown;
      store?: boolean | null;
      stream?: boolean | null;
      stream_options?: unknown;
      temperature?: number | null;
      tool_choice?: unknown;
      /** @description Tools of the type function. */
      tools?: unknown;
      top_logprobs?: unknown;
      top_p?: number | null;
      user?: string | null;
      verbosity?: unknown;
      web_search_options?: unknown;
    };
    ChatSettings: {
      /**
       * @description With `ask`, tools that change something are not executed.
       * @enum {string}
       */
      chat_mode?: 'ask' | 'agent';
      disable_web_search?: boolean;
      frequency_penalty?: number;
      max_tokens?: number;
      presence_penalty?: number;
      temperature?: number;
      top_p?: number;
    };
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
    CompactionBody: {
      /** @description False when there was nothing older than the last exchange. */
      compacted: boolean;
      compaction_count: number;
      /** @description True when the numbers are our tokenizer’s, not the upstream’s own. */
      estimated: boolean;
      /** @description What the model’s window holds. */
      max_tokens: number;
      /** @description User, assistant and tool messages of the transcript. */
      message_count: number;
      model: string;
      remaining_tokens: number;
      /** Format: uuid */
      session_id: string;
      /**
       * @description STALE: messages have come since the summary was made.
       * @enum {string}
       */
      summary_state: 'NONE' | 'CURRENT' | 'STALE';
      tokens_after: number;
      tokens_before: number;
      /** @description Tokens of the summary and of the messages after it. */
      used_tokens: number;
    };
    ContentItem: {
      audio_url?: components['schemas']['AudioUrl'];
      file_info?: {
        [key: string]: unknown;
      };
      image_url?: components['schemas']['ImageUrl'];
      text?: string;
      /** @enum {string} */
      type: 'text' | 'image_url' | 'audio' | 'file';
    };
    ContextStatusBody: {
      compaction_count: number;
      /** @description True when the numbers are our tokenizer’s, not the upstream’s own. */
      estimated: boolean;
      /** @description What the model’s window holds. */
      max_tokens: number;
      /** @description User, assistant and tool messages of the transcript. */
      message_count: number;
      model: string;
      remaining_tokens: number;
      /** Format: uuid */
      session_id: string;
      /**
       * @description STALE: messages have come since the summary was made.
       * @enum {string}
       */
      summary_state: 'NONE' | 'CURRENT' | 'STALE';
      /** @description Tokens of the summary and of the messages after it. */
      used_tokens: number;
    };
    Counted: {
      count: number;
    };
    CreateAgent: {
      /** @enum {string} */
      accessScope?: 'SPACE' | 'RESTRICTED';
      /** @enum {string} */
      agentType?: 'CHAT' | 'TASK';
      allowedUserIds?: string[];
      /** @description Which calls of tools need an approval before they run. */
      approvals?: components['schemas']['ApprovalRule'][];
      description?: string | null;
      fallbackModels?: string[];
      knowledge?: components['schemas']['KnowledgeSource'][];
      localTools?: components['schemas']['LocalTool'][];
      maxSteps?: number | null;
      mcpServers?: components['schemas']['McpServerInput'][];
      metadata?: {
        [key: string]: unknown;
      };
      model: string;
      name: string;
      promptVariables?: components['schemas']['PromptVariable'][];
      /** @description JSON Schema (2020-12) that the answer of execute must match. Patterns are of the linear kind: no look-around, no back-references. */
      responseSchema?: {
        [key: string]: unknown;
      } | null;
      settings?: components['schemas']['ModelSettings'];
      systemPrompt: string;
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
    CreateApiKey: {
      description?: string | null;
      /** Format: date-time */
      expiresAt?: string | null;
      limits?: components['schemas']['ChangeKeyLimits'];
      name: string;
      /**
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
    CreateDataset: {
      description?: string | null;
      /** @example Articles */
      name: string;
      schema: components['schemas']['DatasetSchema'];
    };
    CreateOperatorKey: {
      /** Format: date-time */
      expiresAt?: string | null;
      /** @example monitoring */
      name: string;
      /**
       * @default [
       *       "operator:read"
       *     ]
       */
      scopes?: ('operator:read' | 'operator:write' | 'operator:nats')[];
    };
    CreateOperatorSpace: {
      ceilings?: components['schemas']['ChangeCeilings'];
      /** @example Research */
      name: string;
      owner: components['schemas']['NewOwner'];
      /**
       * Format: uuid
       * @description The id of the Space that pays, or null: the Space itself.
       */
      payer?: string | null;
      /** @description Tokens to start with; INITIAL_SPACE_TOKENS of the configuration unless said. */
      tokens?: number;
    };
    CreateSecret: {
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
    CreateSession: {
      /** Format: uuid */
      agentId?: string;
      metadata?: {
        [key: string]: unknown;
      };
      title?: string;
    };
    CreateSpace: {
      /** @example Research */
      name: string;
    };
    CreateSubscription: {
      active?: boolean;
      appIdentifier?: string;
      event?: string;
      /** Format: uuid */
      eventId?: string;
      /** @description Without one, every occurrence matches. */
      filter?: {
        [key: string]: unknown;
      } | null;
      /** Format: uuid */
      taskId: string;
    };
    CreateTask: {
      /** @default true */
      active?: boolean;
      concurrency?: components['schemas']['TaskConcurrencyInput'];
      description?: string | null;
      /** @description Defaults of the inputs of every execution. */
      inputs?: {
        [key: string]: unknown;
      };
      metadata?: {
        [key: string]: unknown;
      };
      /** @example Nightly report */
      name: string;
      retry?: components['schemas']['RetryRuleInput'];
      schedule?: components['schemas']['TaskScheduleInput'] | null;
      steps: components['schemas']['TaskStep'][];
      /** @default 3600 */
      timeoutSeconds?: number;
      /**
       * @default MANUAL
       * @enum {string}
       */
      type?: 'MANUAL' | 'SCHEDULE' | 'EVENT';
    };
    CreateThread: {
      /**
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
    CredentialView: {
      /** Format: uuid */
      keyId?: string;
      scopes: string[];
      /** @enum {string} */
      type: 'jwt' | 'api_key';
    };
    CreditBody: {
      /** @description In place of the Idempotency-Key header; this one wins. */
      idempotencyKey?: string;
      note?: string;
      /**
       * @description Negative: a correction, which may bring the balance below 0.
       * @example 100000
       */
      tokens: number;
    };
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
    DatasetSchema: {
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
    DatasetView: {
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      /** Format: uuid */
      id: string;
      name: string;
      recordCount: number;
      schema: components['schemas']['DatasetSchema'];
      /** Format: date-time */
      updatedAt: string;
      /** @description Goes up with every change of the dataset itself. */
      version: number;
    };
    DeadLetterView: {
      attempts: number;
      bytes: number;
      event: string;
      /** Format: date-time */
      firstAt: string;
      /** Format: uuid */
      id: string;
      /** Format: date-time */
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
      /** Format: uuid */
      spaceId: string | null;
    };
    Deleted: {
      deleted: boolean;
      /** Format: uuid */
      id: string;
    };
    DeletedMemories: {
      /** @description How many there were. */
      deleted: number;
    };
    DeletedRecords: {
      deleted: number;
    };
    DeliveryView: {
      /** Format: uuid */
      executionId: string | null;
      /** @description 0 for the emission itself, then 1, 2, ... for each replay. */
      replay: number;
      /** @enum {string} */
      status: 'PENDING' | 'TRIGGERED' | 'SKIPPED' | 'FAILED';
      /** Format: uuid */
      subscriptionId: string;
      /** Format: uuid */
      taskId: string;
    };
    DisabledAccountView: {
      /** Format: date-time */
      createdAt: string;
      email: string;
      /** Format: uuid */
      id: string;
      /** @description The Spaces that have no other OWNER who can sign in. */
      lastOwnerOf: components['schemas']['SpaceName'][];
      /** Format: date-time */
      lastSignInAt: string | null;
      name: string;
      operator: boolean;
      /** @description The Spaces that the account belongs to; in a list the oldest hundred. */
      spaces: components['schemas']['SpaceOfAccount'][];
      /** @enum {string} */
      status: 'ACTIVE' | 'DISABLED';
    };
    DiscardDeadLetterBody: {
      /** @description Why it is never handled; it stands in the log. */
      reason: string;
    };
    EmbeddingFailure: {
      attempts: number;
      /** @description Why the last attempt failed. */
      code: string | null;
      /** @description The field with the text. */
      field: string;
      message: string | null;
      /** Format: uuid */
      recordId: string;
      /**
       * Format: date-time
       * @description When it is tried again; null: not by itself.
       */
      retryAt: string | null;
    };
    EmbeddingsRetried: {
      /** @description Texts that are tried again now: at most 10,000. */
      retried: number;
    };
    EmbeddingsView: {
      /** @description Texts that failed three times or more, counted up to 100,000. */
      failed: number;
      /** @description The first 50 of those that failed. */
      failures: components['schemas']['EmbeddingFailure'][];
      /** @description Texts that wait for their vectors, counted up to 100,000. */
      pending: number;
    };
    EmitByHandBody: {
      /** @description A retry with the same key and payload emits nothing new. */
      idempotencyKey?: string;
      payload: {
        [key: string]: unknown;
      };
    };
    EmitEvent: {
      /** @example shop */
      appIdentifier: string;
      /** @example order.created */
      event: string;
      /** @description An order number, for instance: a retry with the same key and payload emits nothing new. */
      idempotencyKey?: string;
      payload: {
        [key: string]: unknown;
      };
    };
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
      operations: ('insert' | 'update' | 'delete')[];
    };
    Emitted: {
      duplicate: boolean;
      /** Format: uuid */
      envelopeId: string;
      /** @enum {string} */
      status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
    };
    EnvelopeDetails: {
      /** Format: uuid */
      actorUserId: string | null;
      appIdentifier: string;
      attempts: number;
      /** Format: uuid */
      causationId: string | null;
      /** Format: uuid */
      correlationId: string;
      deliveries: components['schemas']['DeliveryView'][];
      depth: number;
      /** Format: date-time */
      dispatchedAt: string | null;
      /** Format: date-time */
      emittedAt: string;
      error: components['schemas']['EnvelopeError'] | null;
      event: string;
      /** Format: uuid */
      id: string;
      idempotencyKey: string | null;
      matchedSubscriptions: number;
      payload: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      source: 'datasource' | 'app' | 'system' | 'user';
      /** Format: uuid */
      spaceId: string;
      /** @enum {string} */
      status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
    };
    EnvelopeError: {
      code: string;
      message: string;
    };
    EnvelopeView: {
      /** Format: uuid */
      actorUserId: string | null;
      appIdentifier: string;
      attempts: number;
      /** Format: uuid */
      causationId: string | null;
      /** Format: uuid */
      correlationId: string;
      depth: number;
      /** Format: date-time */
      dispatchedAt: string | null;
      /** Format: date-time */
      emittedAt: string;
      error: components['schemas']['EnvelopeError'] | null;
      event: string;
      /** Format: uuid */
      id: string;
      idempotencyKey: string | null;
      matchedSubscriptions: number;
      payload: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      source: 'datasource' | 'app' | 'system' | 'user';
      /** Format: uuid */
      spaceId: string;
      /** @enum {string} */
      status: 'PENDING' | 'DISPATCHED' | 'SKIPPED' | 'FAILED';
    };
    /** @description Every refusal and failure. */
    Error: {
      /**
       * @description Stable; programs decide by it.
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
      details?: {
        message: string;
        path: string;
      }[];
      /** @description Says what to do next. */
      message: string;
      /** @constant */
      success: false;
    };
    EventActor: {
      id?: string;
      /** @enum {string} */
      type: 'user' | 'key' | 'account' | 'operator' | 'machine';
    };
    EventCounts: {
      appIdentifier: string;
      DISPATCHED: number;
      event: string;
      FAILED: number;
      PENDING: number;
      SKIPPED: number;
      total: number;
    };
    EventStats: {
      byEvent: components['schemas']['EventCounts'][];
      byStatus: components['schemas']['StatusCounts'];
      /** Format: date-time */
      from: string;
      /** @enum {string} */
      interval: 'hour' | 'day';
      /**
       * Format: date-time
       * @description Since when the oldest waiting emission waits.
       */
      oldestPendingAt: string | null;
      overTime: components['schemas']['IntervalCounts'][];
      /** Format: date-time */
      to: string;
    };
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
      settings?: components['schemas']['ExecuteSettings'];
      /** @default false */
      stream?: boolean;
    };
    ExecuteResult: {
      /** Format: uuid */
      agent_id: string;
      answer: string;
      /** @description Seconds. */
      execution_time: number;
      /** @description The parsed answer of an agent with a responseSchema. */
      output?: unknown;
      /** @description What the model thought in this turn, where its upstream shows it: the first 524288 characters. */
      reasoning?: string;
      /**
       * Format: uuid
       * @description The conversation, when one was used.
       */
      session_id?: string;
      token_usage: components['schemas']['UsageReport'];
    };
    ExecuteSettings: {
      frequency_penalty?: number;
      maxTokens?: number;
      presence_penalty?: number;
      temperature?: number;
      top_p?: number;
    };
    ExecuteTaskBody: {
      /** @description In place of the Idempotency-Key header. */
      idempotencyKey?: string;
      /** @description Laid over the task's own defaults. */
      inputs?: {
        [key: string]: unknown;
      };
    };
    ExecutionError: {
      code: string;
      message: string;
      /** @description False: the same would fail again, and is not tried again by itself. */
      retryable?: boolean;
    };
    ExecutionView: {
      attempt: number;
      /** Format: uuid */
      causationId: string | null;
      /** Format: uuid */
      correlationId: string | null;
      /** Format: date-time */
      createdAt: string;
      depth: number;
      error: components['schemas']['ExecutionError'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      /** Format: uuid */
      id: string;
      inputs: {
        [key: string]: unknown;
      };
      /** @description The output of the last step that ran. */
      output: unknown;
      /**
       * Format: uuid
       * @description Who started it by hand.
       */
      requestedBy: string | null;
      /**
       * Format: uuid
       * @description The execution that this one repeats.
       */
      rerunOf: string | null;
      /**
       * Format: date-time
       * @description The due time of the schedule that it stands for.
       */
      scheduledFor: string | null;
      /** Format: date-time */
      startedAt: string | null;
      /** @enum {string} */
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT' | 'SKIPPED';
      steps: components['schemas']['StepView'][];
      /** Format: uuid */
      taskId: string;
      taskVersion: number;
      /** @description The event that started it; null by hand and on schedule. */
      trigger: {
        [key: string]: unknown;
      } | null;
    };
    ForkRequest: {
      /**
       * Format: uuid
       * @description The last message that the new session shares; without it, all of them.
       */
      fromMessageId?: string;
    };
    ImageUrl: {
      /** @example auto */
      detail?: string;
      /** @description An HTTP(S) URL or a base64 `data:` URI. */
      url: string;
    };
    Imported: {
      inserted: number;
    };
    ImportFailure: {
      code: string;
      message: string;
    };
    ImportJobView: {
      /** Format: date-time */
      cancelRequestedAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      /** Format: uuid */
      datasetId: string;
      error: components['schemas']['ImportFailure'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      /** @enum {string} */
      format: 'ndjson' | 'csv';
      /** Format: uuid */
      id: string;
      /** @description Records that are in the dataset now: all of them or none. */
      inserted: number;
      /** @enum {string} */
      phase: 'QUEUED' | 'RUNNING' | 'CANCELLING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
      /** @description Never goes back. */
      progress: number;
      /** @description Records in the file. */
      records: number;
      /** Format: date-time */
      startedAt: string | null;
    };
    InboxInteraction: {
      /** Format: uuid */
      agentId: string;
      /** @description Null when the agent was deleted meanwhile. */
      agentName: string | null;
      allowOther: boolean;
      /** @description Whether this credential may answer it now. False for an approval where a key lacks the scope approvals:answer. */
      answerable?: boolean;
      /** Format: date-time */
      answeredAt: string | null;
      /**
       * @description Of an approval: who may answer.
       * @enum {string}
       */
      by?: 'USER' | 'ADMIN' | 'OTHER' | 'OTHER_ADMIN';
      /** @description Of an approval: what would run. */
      calls?: components['schemas']['ApprovalCall'][];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: 'single_choice' | 'multiple_choice';
      maxSelections?: number;
      minSelections?: number;
      options: components['schemas']['InteractionOption'][];
      otherText?: string | null;
      prompt: string;
      /**
       * @description A question of the model, or an approval of calls of tools.
       * @enum {string}
       */
      purpose: 'question' | 'approval';
      selectedOptionIds?: string[];
      /** Format: uuid */
      sessionId: string;
      sessionTitle: string | null;
      /** @enum {string} */
      status: 'PENDING' | 'ANSWERED' | 'CANCELLED' | 'EXPIRED';
      /** Format: uuid */
      turnId: string;
      /**
       * Format: uuid
       * @description Whose turn it is.
       */
      userId: string;
    };
    Inserted: {
      /** @description In the order of the records; a skipped one has the id of the record it met. */
      ids: string[];
      inserted: number;
      skipped: number;
      updated: number;
    };
    InstallApplication: {
      manifest: components['schemas']['Manifest'];
    };
    InteractionForm: {
      allowOther?: boolean;
      /** @enum {string} */
      kind: 'single_choice' | 'multiple_choice';
      maxSelections?: number;
      minSelections?: number;
      options: components['schemas']['InteractionOption'][];
      prompt: string;
    };
    InteractionOption: {
      description?: string;
      id: string;
      label: string;
    };
    InteractionView: {
      allowOther: boolean;
      /** Format: date-time */
      answeredAt: string | null;
      /**
       * @description Of an approval: who may answer.
       * @enum {string}
       */
      by?: 'USER' | 'ADMIN' | 'OTHER' | 'OTHER_ADMIN';
      /** @description Of an approval: what would run. */
      calls?: components['schemas']['ApprovalCall'][];
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: 'single_choice' | 'multiple_choice';
      maxSelections?: number;
      minSelections?: number;
      options: components['schemas']['InteractionOption'][];
      otherText?: string | null;
      prompt: string;
      /**
       * @description A question of the model, or an approval of calls of tools.
       * @enum {string}
       */
      purpose: 'question' | 'approval';
      selectedOptionIds?: string[];
      /** Format: uuid */
      sessionId: string;
      /** @enum {string} */
      status: 'PENDING' | 'ANSWERED' | 'CANCELLED' | 'EXPIRED';
      /** Format: uuid */
      turnId: string;
    };
    IntervalCounts: {
      /** Format: date-time */
      at: string;
      DISPATCHED: number;
      FAILED: number;
      PENDING: number;
      SKIPPED: number;
      total: number;
    };
    InvitationView: {
      /**
       * Format: date-time
       * @description The token works until then.
       */
      expiresAt: string;
      /** @description Shown once; give it to the invited person. */
      token: string;
    };
    JobCallbackView: {
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
      url: string;
    };
    JobError: {
      code: string;
      message: string;
    };
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
    JobSummary: {
      /** Format: uuid */
      agentId: string;
      attempt: number;
      callbackUrl: string | null;
      /** Format: date-time */
      cancelRequestedAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      error: components['schemas']['JobError'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      /** Format: date-time */
      heartbeatAt: string | null;
      /** Format: uuid */
      id: string;
      input: components['schemas']['ShownJobInput'];
      /** @description The open question of a job that waits for one. */
      interaction: {
        [key: string]: unknown;
      } | null;
      maxAttempts: number;
      /** @enum {string} */
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
      priority: number;
      /** @description Never goes back. */
      progress: number;
      progressMessage: string | null;
      /** @description The result of the execution. */
      result: {
        [key: string]: unknown;
      } | null;
      /** Format: date-time */
      startedAt: string | null;
      timeoutSeconds: number;
      /**
       * Format: uuid
       * @description The turn of the current attempt: what an answer to a question names.
       */
      turnId: string | null;
      /** @enum {string} */
      type: 'AGENT_INVOKE';
    };
    JobView: {
      /** Format: uuid */
      agentId: string;
      attempt: number;
      callbackUrl: string | null;
      /** Format: date-time */
      cancelRequestedAt: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      error: components['schemas']['JobError'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      /** Format: date-time */
      heartbeatAt: string | null;
      /** Format: uuid */
      id: string;
      input: components['schemas']['ShownJobInput'];
      /** @description The open question of a job that waits for one. */
      interaction: {
        [key: string]: unknown;
      } | null;
      maxAttempts: number;
      metadata: {
        [key: string]: unknown;
      };
      /** @enum {string} */
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
      priority: number;
      /** @description Never goes back. */
      progress: number;
      progressMessage: string | null;
      /** @description The result of the execution. */
      result: {
        [key: string]: unknown;
      } | null;
      /** Format: date-time */
      startedAt: string | null;
      timeoutSeconds: number;
      /**
       * Format: uuid
       * @description The turn of the current attempt: what an answer to a question names.
       */
      turnId: string | null;
      /** @enum {string} */
      type: 'AGENT_INVOKE';
    };
    Jwks: {
      keys: components['schemas']['PublicJwk'][];
    };
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
    KeyTokenUse: {
      /** @description Null: no limit. */
      cap: number | null;
      /** @description Held by calls that run. */
      reserved: number;
      /** Format: date-time */
      resetsAt: string;
      used: number;
    };
    KeyUsage: {
      dailyTokens: components['schemas']['KeyTokenUse'];
      monthlyTokens: components['schemas']['KeyTokenUse'];
    };
    KeyValidity: {
      /** Format: date-time */
      expiresAt?: string | null;
      /** Format: uuid */
      keyId?: string;
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
      /** @enum {string} */
      type?: 'USER' | 'SYSTEM' | 'OPERATOR';
      valid: boolean;
    };
    KnowledgeSource: {
      /** Format: uuid */
      datasetId: string;
      minScore?: number;
      /** @description Records to retrieve, 5 unless given. */
      topK?: number;
    };
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
      /** @description What the longest one took. */
      longestMs: number | null;
      /** @description Half of them took no longer; within 5%. */
      p50Ms: number | null;
      /** @description 95 of 100 took no longer; within 5%. */
      p95Ms: number | null;
    };
    LatencyNumbers: {
      /** @description Turns that came to their end, well or not. Cancelled ones are left out. */
      count: number;
      /** @description Those of them that failed. */
      failed: number;
      /** @description What the longest one took. */
      longestMs: number | null;
      /** @description Half of them took no longer; within 5%. */
      p50Ms: number | null;
      /** @description 95 of 100 took no longer; within 5%. */
      p95Ms: number | null;
    };
    LedgerRow: {
      /** Format: uuid */
      agentId: string | null;
      balanceAfter: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      keyId: string | null;
      model: string | null;
      note: string | null;
      source: string | null;
      /** @description Signed: what this entry added to the balance. */
      tokens: number;
      /** Format: uuid */
      turnId: string | null;
      /** @enum {string} */
      type: 'CREDIT' | 'SETTLEMENT' | 'CORRECTION';
      /** Format: uuid */
      userId: string | null;
    };
    LinkIdentityBody: {
      /** @description A token of the external issuer. */
      token: string;
    };
    LocalTool: {
      description: string;
      name: string;
      /** @description JSON Schema of the arguments. */
      parameters: {
        [key: string]: unknown;
      };
    };
    LoginBody: {
      /** @example ada@example.com */
      email: string;
      password: string;
      /**
       * Format: uuid
       * @description The Space to open. Without it: the oldest membership of the account that the password opens.
       */
      spaceId?: string;
    };
    Manifest: {
      events: components['schemas']['ManifestEvent'][];
      /** @example shop */
      identifier: string;
      name: string;
      subscriptions?: components['schemas']['ManifestSubscription'][];
      /** @example 1.0.0 */
      version: string;
    };
    ManifestEvent: {
      description?: string;
      emitOn?: components['schemas']['EmitOn'];
      /** @example order.created */
      name: string;
      /** @description JSON Schema (2020-12) that every payload must fit. Patterns are of the linear kind: no look-around, no back-references. */
      schema: {
        [key: string]: unknown;
      };
    };
    ManifestSubscription: {
      active?: boolean;
      event: string;
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
    MatchingRule: {
      /**
       * @description Whose rule it is.
       * @enum {string}
       */
      from: 'AGENT' | 'SPACE';
      /** @description Its place among the rules of the agent or of the Space, from 0. */
      index: number;
      rule: components['schemas']['ApprovalRule'];
    };
    McpServerInput: {
      /** @description All tools unless given. */
      allowedTools?: string[];
      /** @description Sent with every request; stored encrypted. Values may name `{{ secrets.NAME }}`, at most 20 of them. 32 KiB in all when filled in. */
      headers?: {
        [key: string]: string;
      };
      name: string;
      /** @description Streamable HTTP address. */
      url: string;
    };
    McpServerView: {
      allowedTools?: string[];
      /** @description Names of the stored headers; their values stay inside. */
      headerNames?: string[];
      name: string;
      /** @description The secrets of the Space that the headers name. */
      secretNames?: string[];
      url: string;
    };
    McpToolView: {
      /** @description Whether the agent may use it: allowedTools lets it, and it is as it was approved. */
      allowed: boolean;
      annotations: {
        [key: string]: unknown;
      };
      description: string | null;
      inputSchema: {
        [key: string]: unknown;
      };
      name: string;
      server: string;
      /**
       * @description Its definition is not the one that was approved; it is not offered until it is approved.
       * @enum {string}
       */
      withheld?: 'changed' | 'new';
    };
    Me: {
      credential: components['schemas']['CredentialView'];
      platform?: components['schemas']['PlatformView'];
      /** @enum {string|null} */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER' | null;
      space: components['schemas']['SpaceView'] | null;
      user: components['schemas']['UserView'] | null;
    };
    MemberView: {
      /** Format: date-time */
      createdAt: string;
      email: string;
      /** @description In the answer that makes the invitation, and never again. */
      invitation?: components['schemas']['InvitationView'];
      /** @description The invited address, where the member joined with an account of another address. */
      invitedEmail?: string;
      name: string;
      /** @enum {string} */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
      /** @enum {string} */
      status: 'ACTIVE' | 'INVITED';
      /**
       * Format: uuid
       * @description Until an invitation is accepted, the id of the invitation.
       */
      userId: string;
    };
    MemoryCorrection: {
      /** @description Replaces what was there; not blank. */
      text: string;
    };
    MemoryView: {
      /** Format: uuid */
      agentId: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      text: string;
      /**
       * Format: uuid
       * @description The turn that saved it; null where that was not recorded.
       */
      turnId: string | null;
      /** Format: date-time */
      updatedAt: string;
      /**
       * Format: uuid
       * @description The user whom it is about.
       */
      userId: string;
    };
    MessageUsage: {
      completionTokens: number;
      cost?: number;
      promptTokens: number;
      totalTokens: number;
    };
    MessageView: {
      content: components['schemas']['ContentItem'][];
      /** Format: date-time */
      createdAt: string;
      event?: {
        [key: string]: unknown;
      };
      finishReason?: string;
      /** Format: uuid */
      id: string;
      model?: string;
      name?: string;
      /** @description What the model thought before. No model is shown it again. */
      reasoning?: string;
      /** @enum {string} */
      role: 'user' | 'assistant' | 'tool' | 'event';
      /** @description Contiguous within the session, from 1. */
      seq: number;
      /** Format: uuid */
      sessionId: string;
      tokenUsage?: components['schemas']['MessageUsage'];
      toolCallId?: string;
      toolCalls?: components['schemas']['ToolCallRecord'][];
      /** Format: uuid */
      turnId: string | null;
    };
    ModelSettings: {
      frequency_penalty?: number;
      /** @description Most tokens the answer may have. */
      max_tokens?: number;
      presence_penalty?: number;
      /** @description Sampling temperature, 0 to 2. */
      temperature?: number;
      top_p?: number;
    };
    NewOwner: {
      /** @example ada@example.com */
      email?: string;
      /** @description Makes an account of the Space with this password. Without it the person is invited. */
      password?: string;
      /**
       * Format: uuid
       * @description An account that is there, in place of an e-mail address.
       */
      userId?: string;
    };
    Nothing: Record<string, never>;
    OnConflict: {
      /** @enum {string} */
      action: 'UPDATE' | 'SKIP';
      /** @description A unique field. */
      field: string;
    };
    OperatorKeyView: {
      /** Format: uuid */
      applicationId: string | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: uuid
       * @description The operator who made it; null: the platform itself.
       */
      createdBy: string | null;
      description: string | null;
      /** Format: date-time */
      expiresAt: string | null;
      /** Format: uuid */
      id: string;
      last4: string;
      /** Format: date-time */
      lastUsedAt: string | null;
      name: string;
      /** Format: date-time */
      revokedAt: string | null;
      scopes: ('operator:read' | 'operator:write' | 'operator:nats')[];
      /** @enum {string} */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /** @enum {string} */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    OperatorKeyWithValue: {
      /** Format: uuid */
      applicationId: string | null;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: uuid
       * @description The operator who made it; null: the platform itself.
       */
      createdBy: string | null;
      description: string | null;
      /** Format: date-time */
      expiresAt: string | null;
      /** Format: uuid */
      id: string;
      /** @description The value: shown once, stored nowhere. */
      key?: string;
      last4: string;
      /** Format: date-time */
      lastUsedAt: string | null;
      name: string;
      /** Format: date-time */
      revokedAt: string | null;
      scopes: ('operator:read' | 'operator:write' | 'operator:nats')[];
      /** @enum {string} */
      status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
      /** @enum {string} */
      type: 'USER' | 'SYSTEM' | 'OPERATOR';
    };
    OperatorSpaceView: {
      /** @description Tokens. */
      balance: number;
      bytesStored: number;
      ceilings: components['schemas']['Ceilings'];
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      /** @description Of the OWNER: in the answer that makes the Space, and never again. */
      invitation?: components['schemas']['InvitationView'];
      members: number;
      name: string;
      /** @description The twenty who have been OWNER longest. */
      owners: components['schemas']['SpaceOwner'][];
      /** @description Whose share of the platform it uses. */
      payer: components['schemas']['Payer'];
      /** @enum {string} */
      status: 'ACTIVE' | 'SUSPENDED';
      /** @description Why it is suspended; null while it is not. */
      suspendedReason: string | null;
      /** @description Its balance stops nothing; tokens are counted all the same. */
      unmetered: boolean;
      /** @description Since the first of the month (UTC). */
      usageThisMonth: components['schemas']['SpaceUsage'];
    };
    Oversized: {
      /** @description Of the field, as JSON. */
      bytes: number;
      limit: number;
      /**
       * @description The field.
       * @example steps
       */
      path: string;
    };
    Page: {
      limit: number;
      /** @description Null on the last page. */
      nextCursor: string | null;
    };
    PasswordResetView: {
      /**
       * Format: date-time
       * @description The token works until then.
       */
      expiresAt: string;
      /** @description Shown once; give it to the owner of the account. */
      token: string;
    };
    Payer: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: 'space' | 'user';
    };
    PlatformEventView: {
      /** @example agent.access-changed */
      action: string;
      actor: components['schemas']['EventActor'];
      /** Format: uuid */
      actorUserId: string | null;
      /** Format: date-time */
      at: string;
      credentialId: string | null;
      details: {
        [key: string]: unknown;
      };
      /** Format: uuid */
      id: string;
      requestId: string;
      /**
       * Format: uuid
       * @description Null where the event concerns no Space.
       */
      spaceId: string | null;
      /** @description What it was done to. */
      target: string | null;
    };
    PlatformView: {
      /** @description Whether an OWNER credits tokens to the own Space. */
      ownersMayCredit: boolean;
      /**
       * @description Who makes Spaces: operators alone, or every member.
       * @enum {string}
       */
      spaceCreation: 'OPERATOR' | 'MEMBERS';
      /** @description For operators: what of it needs their attention. */
      warning?: string;
    };
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
      /** @description What it is: `turn`, `execution`, `job`, `emission`, `schedule`, `message`, `import`, `callback`. */
      kind: string;
      /** @description How often its process ended while it ran. */
      losses: number;
      /** Format: uuid */
      spaceId: string | null;
    };
    PromptVariable: {
      /** @description Used when a call gives no value. */
      default?: unknown;
      description?: string;
      /** @description The name between the braces. */
      name: string;
      /** @description Calls without a value are refused unless there is a default. */
      required?: boolean;
    };
    PublicJwk: {
      alg: string;
      crv?: string;
      e?: string;
      kid: string;
      kty: string;
      n?: string;
      use: string;
      x?: string;
      y?: string;
    };
    RecordsCount: {
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
    };
    RecordSearch: {
      /** @description Fields of the answer; where vector fields are among them, only those are searched. */
      fields?: string[];
      /** @description Only records that fulfil it are ranked. */
      filter?: {
        [key: string]: unknown;
      };
      /** @description Leaves out records of a lower score; in hybrid search that is the fused score, of at most 2/61. */
      minScore?: number;
      /** @description What the records should be about. */
      query: string;
      /** @description How many records (default 10). */
      topK?: number;
    };
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
      offset?: number;
      /** @description Newest first unless given. */
      sort?: components['schemas']['SortKey'][];
    };
    RecordsToDelete: {
      /** @description Says that every record is meant. */
      all?: boolean;
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
      ids?: string[];
    };
    RecordsToInsert: {
      onConflict?: components['schemas']['OnConflict'];
      /** @description All are written, or none. */
      records: {
        [key: string]: unknown;
      }[];
    };
    RecordsToUpdate: {
      /** @description Says that every record is meant. */
      all?: boolean;
      /** @description Conditions as `{"price": {"gte": 10}, "or": [{"state": "new"}, {"state": ["a", "b"]}]}`; `{}` is all. */
      filter?: {
        [key: string]: unknown;
      };
      ids?: string[];
      /** @description New values; null clears an optional field. */
      set: {
        [key: string]: unknown;
      };
    };
    RefreshTokenBody: {
      refreshToken: string;
    };
    RegisteredEventView: {
      active: boolean;
      appIdentifier: string;
      /** Format: uuid */
      applicationId: string | null;
      description: string | null;
      emitOn: components['schemas']['EmitOn'] | null;
      /** Format: uuid */
      id: string;
      name: string;
      oversized?: components['schemas']['Oversized'];
      schema: {
        [key: string]: unknown;
      };
      /** @description Where the schema, stored before, asks for formats that are not checked: as JSON pointers. */
      uncheckedFormats?: string[];
    };
    /** @description Every refusal and failure of the relay: the flat body, and OpenAI's beside it. */
    RelayError: components['schemas']['Error'] & {
      error: {
        /** @description The upstream's own, where it gave one. */
        code: string;
        message: string;
        param: string | null;
        type: string;
      };
    };
    Replayed: {
      /** Format: uuid */
      envelopeId: string;
      matchedSubscriptions: number;
      replay: number;
    };
    RerunExecutionBody: {
      /** @description In place of the Idempotency-Key header. */
      idempotencyKey?: string;
      /** @description Laid over the task's own defaults; without it, the old inputs. */
      inputs?: {
        [key: string]: unknown;
      };
    };
    ResetPasswordBody: {
      password: string;
      /** @description The token that an operator has made for the account. */
      token: string;
    };
    ResponsesBody: {
      background?: boolean | null;
      /** @description The id of a conversation, or an object with it. */
      conversation?: unknown;
      include?: unknown;
      /** @description A text, or items. */
      input: unknown;
      /** @description The caller’s own words before the input. */
      instructions?: string | null;
      max_output_tokens?: number | null;
      max_tool_calls?: unknown;
      /** @description At most 16 pairs of texts, given back with the answer. */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /** @description The id of an agent. */
      model: string;
      parallel_tool_calls?: unknown;
      previous_response_id?: string | null;
      prompt?: unknown;
      prompt_cache_key?: string | null;
      prompt_cache_retention?: string | null;
      reasoning?: unknown;
      safety_identifier?: string | null;
      service_tier?: string | null;
      /** @description False: no session; nothing is kept but usage. */
      store?: boolean | null;
      stream?: boolean | null;
      stream_options?: unknown;
      temperature?: number | null;
      /** @description `format`: text or json_schema. */
      text?: unknown;
      tool_choice?: unknown;
      /** @description Tools of the type function. */
      tools?: unknown;
      top_logprobs?: unknown;
      top_p?: number | null;
      truncation?: unknown;
      user?: string | null;
    };
    ResumeBody: {
      /** Format: uuid */
      interactionId: string;
      /** @description The answer in own words, where the form allows one. */
      otherText?: string | null;
      /** @description Ids of options, not labels. */
      selectedOptionIds: string[];
      /** Format: uuid */
      sessionId: string;
    };
    RetryRule: {
      backoffSeconds: number;
      maxAttempts: number;
    };
    RetryRuleInput: {
      /** @default 1 */
      backoffSeconds?: number;
      /** @default 1 */
      maxAttempts?: number;
    };
    RotateApiKeyBody: {
      /** @description How long the old value goes on (default 0). */
      graceSeconds?: number;
    };
    RunAgentBody: {
      /** @description Pieces of `{description, value}`, told before the newest message. */
      context?: unknown;
      /** @description Taken and without effect. */
      forwardedProps?: unknown;
      /** @description What was said, the newest message last. */
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
    RunProgress: {
      done: number;
      total: number;
    };
    RunView: {
      /** @description The id of the step that is running. */
      currentStep: string | null;
      error: components['schemas']['ExecutionError'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      /** Format: uuid */
      id: string;
      progress: components['schemas']['RunProgress'];
      /** Format: date-time */
      startedAt: string | null;
      /** @enum {string} */
      status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT' | 'SKIPPED';
      /** Format: uuid */
      taskId: string;
    };
    SearchAssistants: {
      /** @description The id of an agent. */
      graph_id?: string | null;
      /** @default 10 */
      limit?: number;
      /** @description Agents have none: must be empty. */
      metadata?: unknown;
      /** @description Part of the name. */
      name?: string | null;
      /** @default 0 */
      offset?: number;
      /** @description Fields of the answer. */
      select?: string[] | null;
      /**
       * @default created_at
       * @enum {string|null}
       */
      sort_by?: 'assistant_id' | 'graph_id' | 'name' | 'created_at' | 'updated_at' | null;
      /**
       * @default desc
       * @enum {string|null}
       */
      sort_order?: 'asc' | 'desc' | null;
    };
    SearchHit: {
      record: {
        [key: string]: unknown;
      };
      /** @description Cosine similarity to six decimals, 1 for the same text; for hybrid search the fused score: the sum of 1 / (60 + place) over both rankings. */
      score: number;
    };
    SecretUser: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: 'task' | 'agent';
      name: string;
    };
    SecretView: {
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      /** @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere. */
      hosts: string[];
      /** Format: uuid */
      id: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      lastUsedAt: string | null;
      /** @example CRM_TOKEN */
      name: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description Grows with every new value. */
      version: number;
    };
    SecretWithUsers: {
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      createdBy: string | null;
      description: string | null;
      /** @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere. */
      hosts: string[];
      /** Format: uuid */
      id: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      lastUsedAt: string | null;
      /** @example CRM_TOKEN */
      name: string;
      /** Format: date-time */
      updatedAt: string;
      /** @description The tasks and agents that name it. */
      usedBy: components['schemas']['SecretUser'][];
      /** @description Grows with every new value. */
      version: number;
    };
    SecurityEventView: {
      /** @example agent.access-changed */
      action: string;
      actor: components['schemas']['EventActor'];
      /** Format: uuid */
      actorUserId: string | null;
      /** Format: date-time */
      at: string;
      credentialId: string | null;
      details: {
        [key: string]: unknown;
      };
      /** Format: uuid */
      id: string;
      requestId: string;
      /** @description What it was done to. */
      target: string | null;
    };
    SessionChanges: {
      /** @description Replaces what was there. */
      metadata?: {
        [key: string]: unknown;
      };
      title?: string;
    };
    SessionSummary: {
      /** Format: uuid */
      activeTurnId: string | null;
      /**
       * Format: uuid
       * @description Null until the first turn, where none was named.
       */
      agentId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      lastMessageAt: string | null;
      /** @description User, assistant and tool messages. */
      messageCount: number;
      /** @enum {string} */
      status: 'ACTIVE' | 'DELETED';
      /** @description Null until it is given or the first message is stored. */
      title: string | null;
      /** Format: date-time */
      updatedAt: string;
      /** Format: uuid */
      userId: string;
    };
    SessionView: {
      /** Format: uuid */
      activeTurnId: string | null;
      /**
       * Format: uuid
       * @description Null until the first turn, where none was named.
       */
      agentId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      /** Format: date-time */
      lastMessageAt: string | null;
      /** @description User, assistant and tool messages. */
      messageCount: number;
      metadata: {
        [key: string]: unknown;
      };
      oversized?: components['schemas']['Oversized'];
      /** @enum {string} */
      status: 'ACTIVE' | 'DELETED';
      /** @description Null until it is given or the first message is stored. */
      title: string | null;
      /** Format: date-time */
      updatedAt: string;
      /** Format: uuid */
      userId: string;
    };
    ShownCause: {
      /**
       * Format: uuid
       * @description Of a turn.
       */
      agentId?: string | null;
      cost?: number | null;
      /** Format: date-time */
      finishedAt?: string | null;
      /** @description True where the caller may not see it. */
      hidden?: boolean;
      /** @description Null where the caller may not see it. */
      id: string | null;
      /** @description Unique within the answer. */
      key: string;
      /** @enum {string} */
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
      name?: string | null;
      /** @description Null for the root alone. */
      parentKey: string | null;
      /**
       * Format: uuid
       * @description Of a turn; null where it has no session.
       */
      sessionId?: string | null;
      /** Format: date-time */
      startedAt?: string | null;
      status?: string | null;
      /** @description Of the node and all below it. */
      tokens?: number | null;
    };
    ShownJobInput: {
      /** @description Of the JSON of what is not shown. */
      bytes?: number;
      /** @description In a single record: the path that has all of it. */
      content?: string;
      contents?: components['schemas']['ContentItem'][];
      inputs?: {
        [key: string]: unknown;
      };
      /**
       * Format: uuid
       * @description The conversation that the run belongs to.
       */
      session_id?: string;
      settings?: {
        [key: string]: unknown;
      };
      /** @description It is longer than it is shown here. */
      truncated?: boolean;
    };
    SignedIn: {
      accessToken: string;
      /** @description Seconds until the access token ends. */
      expiresIn: number;
      refreshToken: string;
      /** @description Null: an operator who belongs to no Space. */
      space: components['schemas']['SpaceView'] | null;
      /** @enum {string} */
      tokenType: 'Bearer';
      user: components['schemas']['UserView'];
    };
    SortKey: {
      /**
       * @description Ascending unless given.
       * @enum {string}
       */
      direction?: 'asc' | 'desc' | 'ASC' | 'DESC';
      field: string;
    };
    SpaceName: {
      /** Format: uuid */
      id: string;
      name: string;
    };
    SpaceOfAccount: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @enum {string} */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
    };
    SpaceOwner: {
      email: string;
      name: string;
      /** Format: uuid */
      userId: string;
    };
    SpaceSettings: {
      /** @description Calls of tools that need an approval, whichever agent of the Space makes them. */
      approvals?: components['schemas']['ApprovalRule'][];
      /** @description Traces hold what was said to models and tools, secrets masked, where the platform's operator allows it. Off unless set. */
      captureContent?: boolean;
      /** @description Tokens a day; none unless set. */
      dailyTokenCap?: number;
      /** @description Agent jobs side by side. */
      jobConcurrency?: number;
      /** @description Model calls stop below this balance. */
      minimumBalance?: number;
      /** @description Tokens of one request. */
      requestTokenCap?: number;
      /** @description Task executions side by side. */
      taskConcurrency?: number;
    };
    SpaceUsage: {
      calls: number;
      cost: number;
      tokens: number;
    };
    SpaceUsed: {
      agents: number | null;
      bytes: number;
      /** @description Tokens of this day (UTC). */
      dailyTokens: number | null;
      datasets: number | null;
      fileBytes: number;
      /** @description Active ones. */
      keys: number;
      /** @description Members and open invitations. */
      members: number;
      /** @description Tokens of this month (UTC). */
      monthlyTokens: number | null;
      records: number;
      tasks: number | null;
    };
    SpaceView: {
      /** @description What an operator of the platform has set; shown to ADMIN and up. */
      ceilings?: components['schemas']['Ceilings'];
      /** Format: date-time */
      createdAt: string;
      /** Format: uuid */
      id: string;
      name: string;
      /**
       * @description The caller's role in it.
       * @enum {string}
       */
      role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
      settings: components['schemas']['SpaceSettings'];
      /** Format: date-time */
      updatedAt: string;
      /** @description Shown to ADMIN and up. */
      used?: components['schemas']['SpaceUsed'];
      /** @description Signs the callbacks of jobs; shown to ADMIN and up. */
      webhookSecret?: string;
    };
    StatusCounts: {
      DISPATCHED: number;
      FAILED: number;
      PENDING: number;
      SKIPPED: number;
      total: number;
    };
    StepView: {
      attempt: number;
      error: components['schemas']['ExecutionError'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      id: string;
      /** @description `with` after its templates were filled in. */
      input: unknown;
      output: unknown;
      /** Format: date-time */
      startedAt: string | null;
      /**
       * @description SKIPPED: its `if` said no, or the execution has ended before it was reached.
       * @enum {string}
       */
      status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED' | 'CANCELLED';
      /** @enum {string} */
      type: 'agent' | 'http' | 'dataset' | 'emit' | 'transform' | 'wait';
    };
    SubmitJobBody: {
      /** Format: uuid */
      agentId: string;
      /** @description Gets one signed POST (Standard Webhooks) when the job has ended. */
      callbackUrl?: string;
      /** @description In place of the Idempotency-Key header; kept for 30 days. */
      idempotencyKey?: string;
      input: components['schemas']['JobInputBody'];
      /** @default 3 */
      maxAttempts?: number;
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
      /** @enum {string} */
      type: 'AGENT_INVOKE';
    };
    SubscriptionView: {
      active: boolean;
      appIdentifier: string;
      /** Format: date-time */
      createdAt: string;
      event: string;
      /** Format: uuid */
      eventId: string;
      filter: {
        [key: string]: unknown;
      } | null;
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      origin: 'DEFAULT' | 'USER';
      oversized?: components['schemas']['Oversized'];
      /** Format: uuid */
      taskId: string;
    };
    SuspendSpaceBody: {
      /** @description Shown to the people of the Space. */
      reason: string;
    };
    SwitchSpace: {
      /** Format: uuid */
      spaceId: string;
    };
    TaskChanges: {
      /** @default true */
      active?: boolean;
      concurrency?: components['schemas']['TaskConcurrencyInput'];
      description?: string | null;
      /** @description Defaults of the inputs of every execution. */
      inputs?: {
        [key: string]: unknown;
      };
      metadata?: {
        [key: string]: unknown;
      };
      name?: string;
      retry?: components['schemas']['RetryRuleInput'];
      schedule?: components['schemas']['TaskScheduleInput'] | null;
      steps?: components['schemas']['TaskStep'][];
      /** @default 3600 */
      timeoutSeconds?: number;
      /**
       * @default MANUAL
       * @enum {string}
       */
      type?: 'MANUAL' | 'SCHEDULE' | 'EVENT';
    };
    TaskConcurrency: {
      limit: number;
      /**
       * @description Over the limit: wait, or record the execution as SKIPPED.
       * @enum {string}
       */
      policy: 'QUEUE' | 'SKIP';
    };
    TaskConcurrencyInput: {
      /** @default 5 */
      limit?: number;
      /**
       * @default QUEUE
       * @enum {string}
       */
      policy?: 'QUEUE' | 'SKIP';
    };
    TaskSchedule: {
      /**
       * @description Five fields: minute, hour, day of month, month, day of week.
       * @example 0 9 * * 1-5
       */
      cron: string;
      /**
       * @description What happens to times that passed while nothing could run.
       * @enum {string}
       */
      misfire: 'SKIP' | 'RUN_ONCE';
      /**
       * @description IANA name.
       * @example Europe/Berlin
       */
      timezone: string;
    };
    TaskScheduleInput: {
      /** @example 0 9 * * 1-5 */
      cron: string;
      /**
       * @default SKIP
       * @enum {string}
       */
      misfire?: 'SKIP' | 'RUN_ONCE';
      /** @default UTC */
      timezone?: string;
    };
    TaskStep: {
      /** @description Whether the execution goes on when this step has failed. */
      continueOnError?: boolean;
      /** @example fetch */
      id: string;
      /** @description One template; the step runs when its value is truthy. */
      if?: string;
      retry?: components['schemas']['RetryRuleInput'];
      /** @enum {string} */
      type: 'agent' | 'http' | 'dataset' | 'emit' | 'transform' | 'wait';
      /** @description What the type needs; see the description of the task endpoints. */
      with: {
        [key: string]: unknown;
      };
    };
    TaskSummary: {
      active: boolean;
      concurrency: components['schemas']['TaskConcurrency'];
      /** Format: date-time */
      createdAt: string;
      description: string | null;
      /** Format: uuid */
      id: string;
      name: string;
      /** Format: date-time */
      nextRunAt: string | null;
      oversized?: components['schemas']['Oversized'];
      /**
       * Format: uuid
       * @description Every execution acts as this person.
       */
      ownerId: string | null;
      retry: components['schemas']['RetryRule'];
      schedule: components['schemas']['TaskSchedule'] | null;
      timeoutSeconds: number;
      /** @enum {string} */
      type: 'MANUAL' | 'SCHEDULE' | 'EVENT';
      /** Format: date-time */
      updatedAt: string;
      version: number;
    };
    TaskView: {
      active: boolean;
      concurrency: components['schemas']['TaskConcurrency'];
      /** Format: date-time */
      createdAt: string;
      description: string | null;
      /** Format: uuid */
      id: string;
      inputs: {
        [key: string]: unknown;
      };
      metadata: {
        [key: string]: unknown;
      };
      name: string;
      /** Format: date-time */
      nextRunAt: string | null;
      oversized?: components['schemas']['Oversized'];
      /**
       * Format: uuid
       * @description Every execution acts as this person.
       */
      ownerId: string | null;
      retry: components['schemas']['RetryRule'];
      schedule: components['schemas']['TaskSchedule'] | null;
      steps: components['schemas']['TaskStep'][];
      timeoutSeconds: number;
      /** @enum {string} */
      type: 'MANUAL' | 'SCHEDULE' | 'EVENT';
      /** Format: date-time */
      updatedAt: string;
      version: number;
    };
    TestedEmission: {
      /** Format: date-time */
      emittedAt: string;
      /**
       * Format: uuid
       * @description The envelope.
       */
      id: string;
      /** @description Whether a subscription with this filter would run its task. */
      matches: boolean;
    };
    TestFilterBody: {
      /** @description Null matches every payload. */
      filter: {
        [key: string]: unknown;
      } | null;
    };
    TextHit: {
      /** @description An excerpt of each field that has the words. */
      highlight?: {
        [key: string]: string;
      };
      rank: number;
      record: {
        [key: string]: unknown;
      };
    };
    TextSearch: {
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
    ThreadCommand: {
      id: number;
      /** @description `run.start`, `run.cancel` or `input.respond`. */
      method: string;
      params?: {
        [key: string]: unknown;
      };
    };
    ThreadEvents: {
      channels: string[];
      depth?: number | null;
      /** @description Events have the empty namespace. */
      namespaces?: string[][] | null;
      /** @description Only events with a greater `seq`. */
      since?: number | null;
    };
    ThreadHistory: {
      /** @description Not supported. */
      before?: unknown;
      /** @description Not supported. */
      checkpoint?: unknown;
      /** @default 10 */
      limit?: number;
      /** @description Not supported. */
      metadata?: unknown;
      /** @description Not supported. */
      select?: unknown;
    };
    ToolCallRecord: {
      /** @description The arguments as parsed JSON. */
      arguments: unknown;
      id: string;
      name: string;
    };
    ToolResultBody: {
      callId: string;
      /** @description Why it failed, in place of a result. */
      error?: string;
      /** @description What the tool gave, null included. Either this or `error`. */
      result?: unknown;
      /** Format: uuid */
      sessionId?: string | null;
    };
    ToolResultOutcome: {
      call_id: string;
      /** Format: uuid */
      turn_id: string;
    };
    TopSpace: {
      /** @description Null where the Space is gone. */
      name: string | null;
      /** Format: uuid */
      spaceId: string;
      value: number;
    };
    TurnError: {
      code: string;
      message: string;
      /** @description False where the same request would be refused again. */
      retryable?: boolean;
      /**
       * Format: date-time
       * @description When the same request may pass, where a limit said so.
       */
      retryAt?: string;
    };
    TurnView: {
      /** Format: uuid */
      agentId: string;
      error: components['schemas']['TurnError'] | null;
      /** Format: date-time */
      finishedAt: string | null;
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      sessionId: string | null;
      /** Format: date-time */
      startedAt: string;
      /** @enum {string} */
      status: 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
    };
    UpdateApiKeyBody: {
      description?: string | null;
      /** Format: date-time */
      expiresAt?: string | null;
      limits?: components['schemas']['ChangeKeyLimits'];
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
    Updated: {
      updated: number;
    };
    UpdateSecretBody: {
      description?: string | null;
      /** @description Where the secret may be sent: names, `*.example.com`, IP addresses, each with an optional port. Empty: anywhere. */
      hosts?: string[];
      /** @description A new value holds within a second, also for runs in progress. */
      value?: string;
    };
    UpdateSpaceBody: {
      name?: string;
      settings?: components['schemas']['ChangeSettings'];
    };
    UsageReport: {
      completion_tokens: number;
      cost: number;
      prompt_tokens: number;
      total_tokens: number;
    };
    UsageRow: {
      agent?: string | null;
      calls: number;
      completionTokens: number;
      cost: number;
      day?: string | null;
      key?: string | null;
      model?: string | null;
      promptTokens: number;
      source?: string | null;
      tokens: number;
      user?: string | null;
    };
    UserView: {
      /** Format: date-time */
      createdAt: string;
      email: string;
      /** Format: uuid */
      id: string;
      name: string;
      /** @description Only where the account runs the platform. */
      operator?: boolean;
    };
    ValidateApiKeyBody: {
      /** @description A text of any kind. */
      key: string;
    };
    WebhookSecret: {
      /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
      webhookSecret: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
