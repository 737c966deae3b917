import { Module } from '@nestjs/common';
import { SecretCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';

@Module({ controllers: plainRoutes(SecretCalls) })
export class SecretsModule {}
