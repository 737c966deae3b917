import { Module } from '@nestjs/common';
import { RelayController } from './relay.controller';
import { RelayProxy } from './relay-proxy';
import { RelayClient } from './relay-client';

@Module({ controllers: [RelayController], providers: [RelayProxy, RelayClient] })
export class RelayModule {}
