import { collectDefaultMetrics, Registry } from 'prom-client'

/** The registry behind /metrics. One per process; tests make their own without the figures of the process. */
export function createMetrics(options: { withProcess: boolean }): Registry {
  const registry = new Registry()
  if (options.withProcess) collectDefaultMetrics({ register: registry })
  return registry
}
