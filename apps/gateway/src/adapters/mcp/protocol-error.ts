import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { AppError, toAppError } from '@switchyard/kernel';
import type { McpDeps } from './mcp-deps';

/** A failure as the protocol says it: what the caller can mend is -32602, and the message begins with our code. */
export function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { status, code, message, details } = toAppError(error);
  return new ProtocolError(
    status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    `${code}: ${message}`,
    { code, ...(details ? { details } : {}) },
  );
}

/** Answers a request that is no tool's: only what is not the caller's fault is told to the log. */
export async function answering<T>({ logger }: McpDeps, method: string, answer: () => T | Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ProtocolError) && toAppError(error).status >= 500)
      logger.warn({ err: error, method }, 'an MCP request failed');
    throw protocolError(error);
  }
}

/** The whole answer to a message that never reaches a server. Without an id to answer to it is the message itself that is wrong. */
export function refusalOf(id: string | number | null, error: AppError): object {
  const { code, message, data } = protocolError(error);
  return { jsonrpc: '2.0', id, error: { code: id === null ? ProtocolErrorCode.InvalidRequest : code, message, data } };
}
