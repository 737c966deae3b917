import { Module } from '@nestjs/common';
import { SecretCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';

@Module({ controllers: contractRoutes(SecretCalls) })
export class SecretsModule {}
