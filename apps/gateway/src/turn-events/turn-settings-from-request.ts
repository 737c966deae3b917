import { LocalTool, type ModelSettings, OwnOfTurn, checkRequest } from '@switchyard/contracts';
import { invalid, type JsonObject } from '@switchyard/kernel';
import { objectsOf, optionalObject, optionalText, within } from './read-json-fields';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Tools of the type function, nested as in chat completions or flat as in responses, as local tools of one turn. */
export function localToolsOf(tools: unknown): LocalTool[] {
  return objectsOf(tools, 'tools').map((tool, at) => {
    const path = `tools[${at}]`;
    if (tool['type'] !== 'function')
      throw invalid(`${path}.type`, 'must be function: other tools are those of the agent');
    const nested = optionalObject(tool['function'], `${path}.function`);
    const where = nested ? `${path}.function` : path;
    const { name, description, parameters, strict } = nested ?? tool;
    if (name === 'ask_user') throw invalid(`${where}.name`, 'ask_user is how an agent asks its user');
    if (strict !== undefined && strict !== null && typeof strict !== 'boolean')
      throw invalid(`${where}.strict`, 'must be true or false');
    const local = {
      name: name as string,
      description: (optionalText(description, `${where}.description`) ?? '').slice(0, 2000),
      parameters: optionalObject(parameters, `${where}.parameters`) ?? NO_PARAMETERS,
    };
    within(where, () => {
      checkRequest(LocalTool, local);
    });
    return local;
  });
}

/** The schema of an answer, from `text.format` or `response_format`. */
export function schemaOfFormat(format: unknown, path: string): JsonObject | null {
  const given = optionalObject(format, path);
  if (given === null || given['type'] === 'text') return null;
  if (given['type'] !== 'json_schema') throw invalid(`${path}.type`, 'must be text or json_schema');
  const nested = optionalObject(given['json_schema'], `${path}.json_schema`);
  const schema = optionalObject((nested ?? given)['schema'], `${path}${nested ? '.json_schema' : ''}.schema`);
  if (schema === null) throw invalid(`${path}.schema`, 'must be a JSON Schema');
  return schema;
}

export const ownOf = (localTools: LocalTool[], schema: JsonObject | null): OwnOfTurn => ({
  ...(localTools.length > 0 ? { localTools } : {}),
  ...(schema ? { responseSchema: schema } : {}),
});

interface RequestedSettings {
  temperature?: number | null;
  top_p?: number | null;
  frequency_penalty?: number | null;
  presence_penalty?: number | null;
}

export const settingsOf = (requested: RequestedSettings, maxTokens: number | null | undefined): ModelSettings => ({
  ...(typeof requested.temperature === 'number' ? { temperature: requested.temperature } : {}),
  ...(typeof requested.top_p === 'number' ? { top_p: requested.top_p } : {}),
  ...(typeof requested.frequency_penalty === 'number' ? { frequency_penalty: requested.frequency_penalty } : {}),
  ...(typeof requested.presence_penalty === 'number' ? { presence_penalty: requested.presence_penalty } : {}),
  ...(typeof maxTokens === 'number' ? { max_tokens: maxTokens } : {}),
});
