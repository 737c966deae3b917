import { Module } from '@nestjs/common';
import { SecretCalls } from '@switchyard/contracts';
import { plainRoutes } from '../endpoint/plain-routes';
import { SecretsController } from './secrets.controller';

@Module({ controllers: [...plainRoutes(SecretCalls), SecretsController] })
export class SecretsModule {}
