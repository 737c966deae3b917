import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Endpoint } from '../routing/endpoint.decorator';
import type { ApiReply } from '../http/request';
import { OpenApiDocument } from './openapi-document';

const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const START = `window.onload = () => SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true });`;
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Switchyard API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head><body><div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

@Controller()
export class DocsController {
  constructor(private readonly openapi: OpenApiDocument) {}

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
    void reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE);
  }

  @Get('docs/:file')
  @Endpoint({ summary: 'A file of the documentation page', access: 'public', raw: true, hidden: true })
  file(@Param('file') file: string, @Res() reply: ApiReply): void {
    if (file === 'start.js') {
      void reply.type('text/javascript; charset=utf-8').send(START);
      return;
    }
    const type = FILES[file];
    if (!type) throw new AppError('NOT_FOUND', 'There is nothing at this path.');
    const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
    void reply
      .type(type)
      .header('cache-control', 'public, max-age=86400')
      .send(readFileSync(join(folder, file)));
  }
}
