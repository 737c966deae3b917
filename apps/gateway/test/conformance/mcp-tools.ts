import { existsSync } from 'node:fs';
import path from 'node:path';

const NEEDS_NODE = 22;

/** Installed by tools/test/mcp-tools.ts. */
function folder(): string {
  const given = process.env.SWITCHYARD_TEST_MCP_TOOLS;
  if (!given)
    throw new Error(
      'The suite is not installed. `node tools/test.mjs conformance` does it, with the npm registry in reach.',
    );
  return path.join(given, 'node_modules');
}

/** A Node that is new enough for the suite: the one that came with it, or the one that runs here. */
export function newerNode(): string {
  const binary = path.join(folder(), `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(binary)) return binary;
  if (Number(process.versions.node.split('.')[0]) >= NEEDS_NODE) return process.execPath;
  throw new Error(
    `The suite needs Node ${NEEDS_NODE}, and there is none for this machine on npm: run the tests with it.`,
  );
}

export const conformanceSuite = (): string => path.join(folder(), '@modelcontextprotocol/conformance/dist/index.js');

/** The Inspector, with its command line. */
export const inspector = (): string =>
  path.join(folder(), '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
