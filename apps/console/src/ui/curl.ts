import { requestOf } from '@switchyard/client';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call as one makes it in a shell. The credential is the name of a variable, unless one is given to be shown. */
export function curl(method: string, url: string, body: unknown, credential: string): string {
  const lines = [
    `curl -X ${method} ${/^[\w:/.-]+$/u.test(url) ? url : quoted(url)}`,
    `-H "authorization: Bearer ${credential}"`,
  ];
  if (body !== undefined) lines.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** The call that an error came from; null where it came from none. */
export function curlOf(error: unknown, origin: string): string | null {
  const request = requestOf(error);
  return request && curl(request.method, `${origin}${request.path}`, request.body, '$SWITCHYARD_TOKEN');
}
