import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import { GatewayConfig } from '../gateway.config';
import type { ApiRequest } from '../http/api-request';
import { isOfConsole } from './console-origin';

/** Cookies come along with requests that others have caused: only a page of the console may use its session. */
@Injectable()
export class ConsoleOriginGuard implements CanActivate {
  constructor(private readonly config: GatewayConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers, protocol, host } = context.switchToHttp().getRequest<ApiRequest>();
    const { origin, 'x-switchyard-console': mark } = headers;
    if (isOfConsole({ origin, mark, protocol, host, publicUrl: this.config.PUBLIC_URL })) return true;
    throw new AppError('FORBIDDEN', 'Only the console itself, from its own origin, may use its session.');
  }
}
