import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { MAX_OUTPUT_TOKENS } from '../../../../tools/simulator/answer';
import { parseCatalogue } from '../domain/parse-catalogue';

const text = readFileSync(path.join(__dirname, '../../../../models.example.yaml'), 'utf8');
const builtIn = readFileSync(path.join(__dirname, 'built-in.yaml'), 'utf8');
const environment = (name: string): string => (name === 'SIMULATOR_URL' ? 'http://127.0.0.1:4010/v1' : 'set');

describe('the example of a catalogue', () => {
  it('is a valid catalogue as it stands', () => {
    expect([...parseCatalogue(parse(text), environment).models.keys()]).toEqual([
      'gpt-4.1-mini',
      'text-embedding-3-small',
    ]);
  });

  it('is one with everything that is commented out, too', () => {
    const whole = text.replace(/^( *)# (?= *(?:- |[a-zA-Z]+:))/gm, '$1').replace(/^ *# .*$/gm, '');
    const catalogue = parseCatalogue(parse(whole), environment);
    expect([...catalogue.upstreams.keys()]).toEqual(['openai', 'azure', 'anthropic', 'ollama', 'vllm', 'lmstudio']);
    expect(catalogue.models.get('assistant')?.routes).toHaveLength(3);
  });
});

describe('the built-in catalogue', () => {
  it('knows how long an answer of the simulator can be', () => {
    const { models } = parseCatalogue(parse(builtIn), environment);
    expect(models.get('sim-chat')?.maxOutputTokens).toBe(MAX_OUTPUT_TOKENS);
  });
});
