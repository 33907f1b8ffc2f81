import { Counter, Gauge, type Registry } from 'prom-client'
import type { Kit } from '#kit/kit.ts'

interface ClusterParts {
  readonly bus: Pick<Kit['bus'], 'onGap'>
  readonly db: Pick<Kit['db'], 'readLagSeconds'>
}

/** What a process says of its place among those of a cluster. */
export function createClusterMetrics(registry: Registry, { bus, db }: ClusterParts) {
  const registers = [registry]
  const leads = new Gauge({
    name: 'saddle_jobs_leading',
    help: '1 in the process that runs the jobs; one process of a cluster does',
    registers,
  })
  const gaps = new Counter({
    name: 'saddle_bus_gaps_total',
    help: 'Times that messages of other processes may have been missed, so that what is kept by them was read anew',
    registers,
  })
  const readLag = new Gauge({
    name: 'saddle_read_database_lag_seconds',
    help: 'How far the read database is behind: 0 when it has everything, +Inf when it does not answer; absent without one',
    registers,
    async collect() {
      const lag = await db.readLagSeconds()
      if (lag !== null) this.set(lag)
      else this.remove()
    },
  })
  bus.onGap(() => gaps.inc())
  return { leads, readLag }
}

export type ClusterMetrics = ReturnType<typeof createClusterMetrics>
