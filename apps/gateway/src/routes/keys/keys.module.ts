import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller';
import { NatsAccountsController, OperatorNatsAccountsController } from './nats-accounts.controller';

@Module({ controllers: [ApiKeysController, NatsAccountsController, OperatorNatsAccountsController] })
export class KeysModule {}
