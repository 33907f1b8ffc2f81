/** A gateway in a process of its own, for tests that kill it or flood it: tells its MQTT port over IPC, and its memory when asked. */
import { flushCompileCache } from 'node:module'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { testKit } from '#test/kit.ts'
import { Registry } from 'prom-client'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createTelemetryMetrics } from '../metrics.ts'
import { startGateway } from './gateway.ts'

const db = openDatabase({ url: process.argv[2] ?? '', log: silentLog, appConnections: 1, systemConnections: 3 })
const kit = testKit(db, { OMNI_PORT: '0', MQTT_PORT: '0', JT808_PORT: '0', HOST: '127.0.0.1' })
const fleet = createFleet(kit, { audit: createAudit(kit) })
const gateway = await startGateway({ kit, fleet, metrics: createTelemetryMetrics(new Registry()), flushAfterMs: 1 })
process.send?.(gateway.mqttPort)
// One that is killed would never write down what it compiled.
flushCompileCache()
process.on('message', () => process.send?.(process.memoryUsage().rss))
process.on('disconnect', () => process.exit(0))
