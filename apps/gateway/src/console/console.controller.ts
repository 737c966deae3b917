import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Endpoint } from '../routing/endpoint.decorator';
import type { ApiReply, ApiRequest } from '../http/api-request';
import { type ConsoleFile, ConsoleFiles, type Packing } from './console-files';
import { chooseContentEncoding } from './choose-content-encoding';
import { PAGE_HEADERS } from './page-headers';

/** No markup, scripts or pictures of others, so the output of an agent cannot send data elsewhere. */
const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  "img-src 'self' data: blob:; media-src data: blob:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Their names change with what is in them. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';

@Controller('console')
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get()
  @Endpoint({
    operationId: 'getConsole',
    internal: true,
    summary: 'The console',
    access: 'public',
    raw: 'text/html',
    unlimited: true,
    tag: 'operations',
  })
  page(@Res() reply: ApiReply): void {
    const { html, nonce } = this.files.page();
    void reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy(nonce))
      .header('cache-control', 'no-store')
      .headers(PAGE_HEADERS)
      .send(html);
  }

  /** Files by their name; every other path is a place within the console, which its page finds by itself. */
  @Get('*')
  @Endpoint({ summary: 'A file or a place of the console', access: 'public', raw: true, unlimited: true, hidden: true })
  file(@Param('*') name: string, @Req() request: ApiRequest, @Res() reply: ApiReply): void {
    const file = this.files.find(name);
    if (file) this.send(name, file, request, reply);
    else if (name.startsWith(HASHED)) throw new AppError('NOT_FOUND', 'There is nothing at this path.');
    else this.page(reply);
  }

  private send(name: string, { type, content, packed }: ConsoleFile, request: ApiRequest, reply: ApiReply): void {
    const packing = chooseContentEncoding(request.headers['accept-encoding'], Object.keys(packed) as Packing[]);
    if (packing) void reply.header('content-encoding', packing);
    void reply
      .type(type)
      .header('vary', 'Accept-Encoding')
      .header('cache-control', name.startsWith(HASHED) ? FOREVER : 'no-cache')
      .send((packing && packed[packing]) ?? content);
  }
}
