import { LocalTool, type ModelSettings, OwnOfTurn, checkRequest } from '@switchyard/contracts';
import { invalid, isPlainObject, type JsonObject } from '@switchyard/kernel';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Tools of the type function, nested as in chat completions or flat as in responses, as local tools of one turn. */
export function localToolsOf(tools: unknown): LocalTool[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw invalid('tools', 'must be a list');
  return tools.map((tool: unknown, at) => {
    const path = `tools[${at}]`;
    if (!isPlainObject(tool)) throw invalid(path, 'must be an object');
    if (tool['type'] !== 'function')
      throw invalid(`${path}.type`, 'must be function: other tools are those of the agent');
    const own = isPlainObject(tool['function']) ? tool['function'] : tool;
    const { name, description, parameters } = own;
    if (name === 'ask_user') throw invalid(`${path}.name`, 'ask_user is how an agent asks its user');
    const local = {
      name: name as string,
      description: typeof description === 'string' ? description.slice(0, 2000) : '',
      parameters: isPlainObject(parameters) ? parameters : NO_PARAMETERS,
    };
    checkRequest(LocalTool, local);
    return local;
  });
}

/** The schema of an answer, from `text.format` or `response_format`. */
export function schemaOfFormat(format: unknown, path: string): JsonObject | null {
  if (format === undefined || format === null) return null;
  if (!isPlainObject(format)) throw invalid(path, 'must be an object');
  if (format['type'] === 'text') return null;
  if (format['type'] !== 'json_schema') throw invalid(`${path}.type`, 'must be text or json_schema');
  const nested = isPlainObject(format['json_schema']) ? format['json_schema'] : format;
  if (!isPlainObject(nested['schema'])) throw invalid(`${path}.schema`, 'must be a JSON Schema');
  return nested['schema'];
}

export const ownOf = (localTools: LocalTool[], schema: JsonObject | null): OwnOfTurn => ({
  ...(localTools.length > 0 ? { localTools } : {}),
  ...(schema ? { responseSchema: schema } : {}),
});

interface Asked {
  temperature?: number | null;
  top_p?: number | null;
  frequency_penalty?: number | null;
  presence_penalty?: number | null;
}

export const settingsOf = (asked: Asked, maxTokens: number | null | undefined): ModelSettings => ({
  ...(typeof asked.temperature === 'number' ? { temperature: asked.temperature } : {}),
  ...(typeof asked.top_p === 'number' ? { top_p: asked.top_p } : {}),
  ...(typeof asked.frequency_penalty === 'number' ? { frequency_penalty: asked.frequency_penalty } : {}),
  ...(typeof asked.presence_penalty === 'number' ? { presence_penalty: asked.presence_penalty } : {}),
  ...(typeof maxTokens === 'number' ? { max_tokens: maxTokens } : {}),
});
