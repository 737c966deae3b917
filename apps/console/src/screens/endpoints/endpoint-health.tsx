import type { ReactNode } from 'react';
import type { Endpoint } from '@switchyard/client';
import { Badge, StatusBadge } from '../../ui/badge';

/** Its health, or that it is paused. */
export const EndpointHealth = ({ of: { status, active } }: { of: Endpoint }): ReactNode =>
  active || status === 'DISABLED' ? <StatusBadge status={status} /> : <Badge>Paused</Badge>;
