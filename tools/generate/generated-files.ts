import 'reflect-metadata';
import { GatewayModule } from '../../apps/gateway/src/gateway.module';
import { controllersOf } from '../../apps/gateway/src/openapi/controllers-of';
import { OpenApiDocument } from '../../apps/gateway/src/openapi/openapi-document';
import { accessMatrix } from './access-matrix';
import { clientTypes } from './client-types';

/** Files of the repository that are made from the contracts and routes alone: path and text. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const { document } = new OpenApiDocument(controllersOf(GatewayModule));
  return {
    'apps/gateway/test/access-matrix.txt': accessMatrix(document),
    'libs/client/src/api/schema.ts': await clientTypes(document),
  };
}
