import { Module } from '@nestjs/common';
import { SecretCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../endpoint/plain-routes';

@Module({ controllers: plainRoutes(SecretCalls) })
export class SecretsModule {}
