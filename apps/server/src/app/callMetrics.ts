import { Histogram, type Registry } from 'prom-client'

interface Answered {
  readonly name: string
  readonly status: number
  readonly durationMs: number
}

/** Counts and times calls by name and class of status: the names are the contract's, so their number is bounded. */
export function createCallMetrics(registry: Registry): (answered: Answered) => void {
  const histogram = new Histogram({
    name: 'saddle_call_duration_seconds',
    help: 'Time from request to answer, by call and class of status',
    labelNames: ['call', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  return ({ name, status, durationMs }) => {
    histogram.observe({ call: name, status: `${Math.floor(status / 100)}xx` }, durationMs / 1000)
  }
}
