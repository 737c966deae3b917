import { randomBytes } from 'node:crypto';
import { WireMessage, countPrompt, positionOf, textOf as contentText } from './conversation';
import { sampleJson } from './sample-json';
import { Directive, type ReasoningField, parseScript } from './script';

export interface AnswerPlan {
  messages: readonly WireMessage[];
  tools?: unknown;
  maxTokens?: unknown;
  /** The same answer as many times; 1 unless said otherwise. */
  choices?: number;
  stop?: unknown;
  responseFormat?: unknown;
}

/** One piece of text and how long the simulator waits before it. */
export interface Token {
  text: string;
  delayMs: number;
}

export interface Answer {
  /** The model's reasoning, in the field of its dialect. */
  thinking: Token[];
  reasoningField: ReasoningField;
  tokens: Token[];
  toolCalls: { name: string; arguments: string }[];
  finishReason: 'stop' | 'length' | 'tool_calls';
  /** Waited before the tool calls, or before an answer without text. */
  tailDelayMs: number;
  cutAfter: number | null;
  /** `completionTokens` are all that was written, the `reasoningTokens` among them. */
  usage: { promptTokens: number; completionTokens: number; reasoningTokens: number };
}

export class ScriptedError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Limit of each answer: as the built-in catalogue says of sim-chat. */
export const MAX_OUTPUT_TOKENS = 4096;

const WORDS = ['one', 'two', 'red', 'sun', 'day', 'sea', 'oak', 'fox'];

/** One word a token; white space stays with the word that follows it. */
export const splitWords = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

const shortWords = (count: number): string =>
  Array.from({ length: count }, (_, i) => WORDS[i % WORDS.length]).join(' ');

/** Unique words. */
const newWords = (count: number): string =>
  Array.from({ length: Math.min(count, MAX_OUTPUT_TOKENS) }, () => randomBytes(3).toString('hex')).join(' ');

function defaultText(text: string, responseFormat: unknown): string {
  const reply = `You said: ${text}`;
  if (typeof responseFormat !== 'object' || responseFormat === null) return reply;
  const format = responseFormat as { type?: unknown; json_schema?: { schema?: unknown }; schema?: unknown };
  if (format.type === 'json_schema')
    return JSON.stringify(sampleJson(format.json_schema?.schema ?? format.schema, reply));
  return format.type === 'json_object' ? JSON.stringify({ answer: reply }) : reply;
}

function stopAt(text: string, stop: unknown): string {
  const stops = (Array.isArray(stop) ? (stop as unknown[]) : [stop]).filter(
    (item): item is string => typeof item === 'string' && item !== '',
  );
  const positions = stops.map((item) => text.indexOf(item)).filter((at) => at >= 0);
  return positions.length === 0 ? text : text.slice(0, Math.min(...positions));
}

interface DelayedText {
  text: string;
  delayMs: number;
}

interface Played {
  thoughts: DelayedText[];
  pieces: DelayedText[];
  usage: Pick<Answer['usage'], 'promptTokens' | 'completionTokens'> | null;
}

function playDirectives(
  directives: readonly Directive[],
  lastToolResult: string,
): Omit<Answer, 'thinking' | 'tokens' | 'usage' | 'finishReason'> & Played {
  const played = {
    thoughts: [] as DelayedText[],
    reasoningField: 'reasoning_content' as ReasoningField,
    pieces: [] as DelayedText[],
    toolCalls: [] as Answer['toolCalls'],
    tailDelayMs: 0,
    cutAfter: null as number | null,
    usage: null as Played['usage'],
  };
  const print = (text: string): void => void played.pieces.push({ text, delayMs: played.tailDelayMs });
  for (const directive of directives) {
    switch (directive.kind) {
      case 'reply':
        print(directive.text.replaceAll('{{tool}}', () => lastToolResult));
        break;
      case 'think':
        played.reasoningField = directive.field;
        played.thoughts.push({ text: directive.text, delayMs: played.tailDelayMs });
        break;
      case 'tokens':
        print(shortWords(directive.count));
        break;
      case 'vary':
        print(newWords(directive.count));
        break;
      case 'json':
        print(directive.text);
        break;
      case 'delay':
        played.tailDelayMs = directive.ms;
        break;
      case 'tool':
        played.toolCalls.push({ name: directive.name, arguments: directive.arguments });
        break;
      case 'error':
        throw new ScriptedError(
          directive.status,
          directive.message || `The simulator was told to fail with ${directive.status}.`,
        );
      case 'cut':
        played.cutAfter = directive.afterTokens;
        break;
      case 'usage':
        played.usage = { promptTokens: directive.promptTokens, completionTokens: directive.completionTokens };
        break;
      case 'unknown':
        throw new ScriptedError(400, `The simulator knows no directive like ${directive.line.slice(0, 60)}`);
    }
  }
  return played;
}

/** Fixed answer of an agent, for tests in which the user's text is shown. */
function standingScript(messages: readonly WireMessage[]): Directive[][] {
  const prompts = messages.filter(({ role }) => role === 'system').map(({ content }) => contentText(content));
  const lines = prompts.flatMap((text) => text.split(/\r?\n/)).filter((line) => line.startsWith('@@@'));
  return parseScript(lines.map((line) => line.slice(1)).join('\n'));
}

/** The simulator's answer: deterministic for each request. */
export function answerTo(plan: AnswerPlan): Answer {
  const position = positionOf(plan.messages);
  const request = parseScript(position.newestUserText);
  const script = request.length > 0 ? request : standingScript(plan.messages);
  const plain = script.length === 0;
  const directives = script[position.callsMade] ?? [];
  const played = playDirectives(directives, position.lastToolResult);
  if (plain) played.pieces.push({ text: defaultText(position.newestUserText, plan.responseFormat), delayMs: 0 });
  // A script that has been played to its end must not be played again: the turn would never stop.
  else if (directives.length === 0) played.pieces.push({ text: 'Done.', delayMs: 0 });

  const whole = textOf(played.pieces);
  const stored = plan.stop === undefined || plan.stop === null ? whole : stopAt(whole, plan.stop);
  const thoughts = pace(textOf(played.thoughts), played.thoughts);
  let tokens = pace(stored, played.pieces);
  let { toolCalls } = played;
  let finishReason: Answer['finishReason'] = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  if (stored.length < whole.length) {
    toolCalls = [];
    finishReason = 'stop';
  }
  const most = Math.min(typeof plan.maxTokens === 'number' ? plan.maxTokens : Infinity, MAX_OUTPUT_TOKENS);
  const thinking = thoughts.slice(0, most);
  const limit = most - thinking.length;
  const fitting = fitCalls(toolCalls, limit - tokens.length);
  if (thoughts.length > most || tokens.length > limit || fitting.length < toolCalls.length) {
    tokens = tokens.slice(0, limit);
    toolCalls = fitting;
    finishReason = 'length';
  }
  const choices = plan.choices ?? 1;
  const counted = played.usage ?? {
    promptTokens: countPrompt(plan.messages, plan.tools),
    completionTokens: choices * (thinking.length + tokens.length + tokensOf(toolCalls)),
  };
  const usage = { ...counted, reasoningTokens: choices * thinking.length };
  const { tailDelayMs, cutAfter, reasoningField } = played;
  return { thinking, reasoningField, tokens, toolCalls, finishReason, tailDelayMs, cutAfter, usage };
}

const textOf = (pieces: readonly DelayedText[]): string => pieces.map((piece) => piece.text).join('\n');

const tokensOf = (calls: Answer['toolCalls']): number =>
  calls.reduce((sum, call) => sum + 1 + splitWords(call.arguments).length, 0);

/** The calls that are whole within so many tokens; the first one that is not ends the answer. */
function fitCalls(calls: Answer['toolCalls'], capacity: number): Answer['toolCalls'] {
  const cut = calls.findIndex((_, index) => tokensOf(calls.slice(0, index + 1)) > capacity);
  return cut < 0 ? calls : calls.slice(0, cut);
}

/** Cuts the text into words and gives each the delay of the piece that it begins in. */
function pace(text: string, pieces: readonly DelayedText[]): Token[] {
  if (pieces.every((piece) => piece.delayMs === pieces[0]?.delayMs)) {
    const delayMs = pieces[0]?.delayMs ?? 0;
    return splitWords(text).map((word) => ({ text: word, delayMs }));
  }
  let end = -1;
  const ends = pieces.map((piece) => (end += piece.text.length + 1));
  let at = 0;
  return splitWords(text).map((word) => {
    at += word.length;
    const piece = ends.findIndex((limit) => at <= limit);
    return { text: word, delayMs: pieces[piece]?.delayMs ?? 0 };
  });
}
