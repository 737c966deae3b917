import type { FactoryProvider } from '@nestjs/common';
import { Bus } from '@switchyard/messaging';
import { ServiceConfig } from '../config/service-config';
import { TRACING, type Tracing } from '../tracing/tracing';
import { ContentCapture } from './content-capture';

/** For the services whose spans may hold what was said. */
export const contentCapture: FactoryProvider<ContentCapture> = {
  provide: ContentCapture,
  useFactory: (bus: Bus, config: ServiceConfig, tracing: Tracing | null) =>
    new ContentCapture(bus, tracing !== null && config.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT),
  inject: [Bus, ServiceConfig, TRACING],
};
