import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { tryNats } from './try-nats';

const WITHIN_MS = 120_000;
/** Every Space has this agent. */
const ASSISTANT = '00000000-0000-7000-8000-000000000001';
const QUESTION = 'Say good evening in one sentence.';

interface TestLogin {
  base: string;
  token: string;
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  if (!response.ok) throw new Error(`POST ${new URL(url).pathname} answers ${response.status}: ${(await response.text()).slice(0, 500)}`);
  return response;
}

/** The API, with this login. */
const caller =
  ({ base, token }: TestLogin) =>
  async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
    const authorization = `Bearer ${token}`;
    const url = `${base}/api${path}`;
    const response =
      body === undefined ? await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(WITHIN_MS) }) : await post(url, body, { authorization });
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}`);
    return ((await response.json()) as { data: T }).data;
  };

async function signIn(environment: NodeJS.ProcessEnv): Promise<TestLogin> {
  const { GATEWAY_URL: base = 'http://gateway', API_KEY: key, BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password } = environment;
  if (key) return { base, token: key };
  if (!email || !password) throw new Error('API_KEY is missing, or BOOTSTRAP_EMAIL with BOOTSTRAP_PASSWORD');
  const response = await post(`${base}/api/auth/login`, { email, password });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  return { base, token: data.accessToken };
}

/** One answer of a model that the caller names, through the relay. */
async function askModel({ base, token }: TestLogin, model: string): Promise<string> {
  const body = { model, messages: [{ role: 'user', content: QUESTION }] };
  const response = await post(`${base}/models/v1/chat/completions`, body, { authorization: `Bearer ${token}` });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

/** One turn of the assistant: gateway, agent, session and relay with their databases and NATS take part. */
async function askAssistant({ base, token }: TestLogin): Promise<string> {
  const body = { contents: [{ type: 'text', text: QUESTION }] };
  const headers = { authorization: `Bearer ${token}`, 'x-service-stream-protocol': 'stream-v3' };
  const text = await (await post(`${base}/api/agents/${ASSISTANT}/chat`, body, headers)).text();
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => (JSON.parse(line.slice(6)) as { params?: { data?: { event?: string; delta?: string; status?: string } } }).params?.data ?? {});
  const status = events.find(({ event }) => event === PRODUCT_EVENTS.streamEnded)?.status;
  if (status !== 'COMPLETED') throw new Error(`the turn ended with ${status ?? 'no status'}: ${text.slice(-500)}`);
  return events.map(({ delta }) => delta ?? '').join('');
}

/**
 * One answer through the whole platform, for `helm test`:
 *
 *   node dist/tools/deploy/try-turn.js     with GATEWAY_URL, and API_KEY or BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD;
 *                                          with MODEL: this model instead of the assistant; with NATS_API_URL: also a
 *                                          request over that server, by an account that the owner makes and revokes
 */
async function tryTurn(environment: NodeJS.ProcessEnv): Promise<string> {
  const login = await signIn(environment);
  const answer = environment.MODEL ? await askModel(login, environment.MODEL) : await askAssistant(login);
  if (answer === '') throw new Error('the answer is empty');
  if (!environment.NATS_API_URL) return answer;
  return `${answer}\n${await tryNats(caller(login), environment.NATS_API_URL)}`;
}

tryTurn(process.env).then(
  (answer) => {
    console.log(answer);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
