import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { Endpoint } from '../endpoint/endpoint.decorator';
import type { GateReply } from '../http/request';

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

const FILES = [
  'index.html',
  'style.css',
  'main.js',
  'api.js',
  'dom.js',
  'pages.js',
  'first-calls.js',
  'chat.js',
  'stream.js',
];

/** No markup of others, no scripts of others, no pictures of others: what an agent writes cannot phone home. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const contents = new Map(FILES.map((file) => [file, readFileSync(join(__dirname, 'files', file))]));

@Controller('console')
export class ConsoleController {
  @Get()
  @Endpoint({ summary: 'The console', public: true, raw: 'text/html', tag: 'operations' })
  page(@Res() reply: GateReply): void {
    this.send('index.html', reply);
  }

  @Get(':file')
  @Endpoint({ summary: 'A file of the console', public: true, raw: true, hidden: true })
  file(@Param('file') file: string, @Res() reply: GateReply): void {
    this.send(file, reply);
  }

  private send(file: string, reply: GateReply): void {
    const content = contents.get(file);
    if (!content) throw new AppError('NOT_FOUND', 'There is nothing at this path.');
    const type = TYPES[file.split('.').pop() ?? ''] ?? 'application/octet-stream';
    void reply.type(type).header('content-security-policy', POLICY).header('cache-control', 'no-cache').send(content);
  }
}
