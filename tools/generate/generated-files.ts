import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayModule } from '../../apps/gateway/src/gateway.module';
import { controllersOf } from '../../apps/gateway/src/openapi/controllers-of';
import { OpenApiDocument } from '../../apps/gateway/src/openapi/openapi-document';
import { projectRoot } from '../launcher/project-root';
import { manifestFiles } from '../deploy/kubernetes/rendered';
import { accessMatrix } from './access-matrix';
import { clientTurnFrames } from './client-turn-frames';
import { clientTypes } from './client-types';
import { withOperationTable } from './nats-operations';
import { withSecretTables } from './secret-tables';
import { consoleStepTypes, withStepTable } from './step-types';

export const OPENAPI_DOCUMENT = 'docs/reference/openapi.json';

/** Files of the repository that are made from the contracts and routes alone: path and text. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const controllers = controllersOf(GatewayModule);
  const { document } = new OpenApiDocument(controllers);
  const plain = new OpenApiDocument(controllers, { isPlain: true });
  const withInternal = new OpenApiDocument(controllers, { withInternal: true });
  return {
    'apps/gateway/test/access-matrix.txt': accessMatrix(withInternal.document),
    'apps/console/src/screens/tasks/step-types.ts': await consoleStepTypes(),
    'docs/guides/nats.md': await withOperationTable(readFileSync(join(projectRoot, 'docs/guides/nats.md'), 'utf8')),
    'docs/operate/secrets.md': await withSecretTables(
      readFileSync(join(projectRoot, 'docs/operate/secrets.md'), 'utf8'),
    ),
    'docs/guides/tasks.md': await withStepTable(readFileSync(join(projectRoot, 'docs/guides/tasks.md'), 'utf8')),
    [OPENAPI_DOCUMENT]: `${JSON.stringify(document, null, 2)}\n`,
    'libs/client/src/api/schema.ts': await clientTypes(plain.document),
    'libs/client/src/api/turn-frames.ts': await clientTurnFrames(),
    ...manifestFiles(),
  };
}
