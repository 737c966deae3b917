import { Controller, Get, Req } from '@nestjs/common';
import { SCOPES } from '@switchyard/contracts';
import { Endpoint } from '../../routing/endpoint.decorator';
import { GatewayConfig } from '../../gateway.config';
import type { ApiRequest } from '../../http/api-request';
import { publicUrl } from './mcp-origin-check';

@Controller('.well-known/oauth-protected-resource')
export class McpMetadataController {
  constructor(private readonly config: GatewayConfig) {}

  /** RFC 9728; clients look for it beneath the path of the resource as well. */
  @Get('mcp')
  @Endpoint({
    summary: 'Read which credentials /mcp accepts (RFC 9728)',
    access: 'public',
    raw: true,
    tag: 'mcp',
    hidden: true,
  })
  ofPath(@Req() request: ApiRequest): object {
    return this.metadata(request);
  }

  @Get()
  @Endpoint({
    operationId: 'getProtectedResourceMetadata',
    summary: 'Read which credentials /mcp accepts (RFC 9728)',
    access: 'public',
    raw: true,
    tag: 'mcp',
  })
  metadata(@Req() request: ApiRequest): object {
    return {
      resource: `${publicUrl(request, this.config)}/mcp`,
      authorization_servers: this.config.OIDC_ISSUER === undefined ? [] : [this.config.OIDC_ISSUER],
      bearer_methods_supported: ['header'],
      scopes_supported: SCOPES.filter((scope) => scope !== '*'),
      resource_name: 'Switchyard',
    };
  }
}
