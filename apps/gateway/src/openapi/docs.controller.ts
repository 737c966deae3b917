import { Controller, Get, Res } from '@nestjs/common';
import { ConsoleFiles } from '../console/console-files';
import { PAGE_HEADERS } from '../console/page-headers';
import { Endpoint } from '../routing/endpoint.decorator';
import type { ApiReply } from '../http/api-request';
import { OpenApiDocument } from './openapi-document';

/** The entry of the page in the build of the console. */
const ENTRY = 'src/reference/main.ts';

/** The renderer writes style attributes. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pageOf = (script: string | undefined): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API reference · Switchyard</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"></head><body><p><a href="/openapi.json">The OpenAPI document</a></p>
${script === undefined ? '' : `<script type="module" src="/console/${script}"></script>`}</body></html>`;

@Controller()
export class DocsController {
  constructor(
    private readonly openapi: OpenApiDocument,
    private readonly files: ConsoleFiles,
  ) {}

  @Get('openapi.json')
  @Endpoint({
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    access: 'public',
    raw: true,
    tag: 'operations',
  })
  document(): object {
    return this.openapi.document;
  }

  @Get('docs')
  @Endpoint({
    operationId: 'getApiReference',
    internal: true,
    summary: 'The documentation of the API as a page',
    access: 'public',
    raw: 'text/html',
    tag: 'operations',
  })
  page(@Res() reply: ApiReply): void {
    void reply
      .header('content-security-policy', POLICY)
      .headers(PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(pageOf(this.files.entry(ENTRY)));
  }
}
