import { Module } from '@nestjs/common';
import { NatsApi } from './nats-api';

@Module({ providers: [NatsApi], exports: [NatsApi] })
export class NatsApiModule {}
