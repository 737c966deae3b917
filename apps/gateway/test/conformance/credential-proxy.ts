import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CredentialProxy {
  url: string;
  close(): void;
}

/** Passes everything on as it is, with a credential: the suite sends none, and the gateway requires one. */
export async function openCredentialProxy(target: string, authorization: string): Promise<CredentialProxy> {
  const { hostname, port } = new URL(target);
  const pass = (inbound: IncomingMessage, outbound: ServerResponse): void => {
    const { method, url, headers } = inbound;
    const onward = request({ hostname, port, method, path: url, headers: { ...headers, authorization } }, (answer) => {
      outbound.writeHead(answer.statusCode ?? 502, answer.headers);
      // Send headers before the first byte: a stream must open before it has output.
      outbound.flushHeaders();
      answer.pipe(outbound);
    });
    onward.on('error', () => outbound.destroy());
    outbound.on('close', () => onward.destroy());
    inbound.pipe(onward);
  };
  const server: Server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close().closeAllConnections() };
}
