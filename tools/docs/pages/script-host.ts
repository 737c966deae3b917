import { createRequire } from 'node:module';
import path from 'node:path';

/** The page's program first, then one message for each of its blocks. */
export type HostMessage = { code: string } | { mark: string; environment: NodeJS.ProcessEnv };

const AsyncFunction = async function () {}.constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<void>;

const ours = /^@switchyard\/([a-z-]+)((?:\/[a-z-]+)?)$/;
const load = createRequire(path.join(process.cwd(), 'package.json'));
const requireForPage = (name: string): unknown =>
  load(
    name.replace(ours, (_, library: string, folder: string) =>
      path.join(process.cwd(), `dist/libs/${library}/src${folder}/index.js`),
    ),
  );

let mark: string | undefined;
const waiting: (() => void)[] = [];
const ready: Extract<HostMessage, { mark: string }>[] = [];

function end(code: number): void {
  if (mark !== undefined) process.stdout.write(`\n${mark} ${code}\n`);
  mark = undefined;
}

/** Called by the page before each of its blocks. */
async function step(): Promise<void> {
  end(0);
  if (ready.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  const next = ready.shift();
  if (!next) return;
  mark = next.mark;
  for (const [name, value] of Object.entries(next.environment)) process.env[name] = value;
}

process.on('message', (message: HostMessage) => {
  if ('code' in message) return void run(message.code);
  ready.push(message);
  waiting.shift()?.();
});

async function run(code: string): Promise<void> {
  try {
    await new AsyncFunction('require', 'exports', 'step', code)(requireForPage, {}, step);
    end(0);
  } catch (error) {
    console.error(error);
    if (mark === undefined) await step();
    end(1);
  }
}
