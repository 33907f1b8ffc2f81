/**
 * A gateway in a process of its own, for tests that kill it or flood it: tells its MQTT port over IPC, and when asked
 * its memory, the port of a page beside it, or the address at which devices fetch artefacts. */
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { testKit } from '#test/kit.ts'
import { testArtefactKeys } from '#test/upgrades.ts'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { registerArtefacts } from '#app/artefactFiles.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createProduction } from '#production/public.ts'
import { createTelemetryMetrics } from '../metrics.ts'
import { startGateway } from './gateway.ts'

const db = openDatabase({ url: process.argv[2] ?? '', log: silentLog, appConnections: 1, systemConnections: 3 })
const kit = testKit(db, { ...portSettings(() => 0), HOST: '127.0.0.1', ...testArtefactKeys })
const audit = createAudit(kit)
const fleet = createFleet(kit, { audit })
const production = createProduction(kit, { audit, fleet })
const gateway = await startGateway({
  kit,
  fleet,
  audit,
  transfers: production.transfers,
  metrics: createTelemetryMetrics(new Registry()),
  flushAfterMs: 1,
})
process.send?.(gateway.ports.mqtt)
// A process that is killed never saves its compile cache.
flushCompileCache()

async function serveArtefacts(): Promise<string> {
  const http = Fastify()
  registerArtefacts(http, production)
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  production.transfers.addresses.servedAt(url)
  return url
}

process.on('message', (asked) => {
  if (asked === 'artefacts') {
    void serveArtefacts().then((url) => process.send?.(url))
    return
  }
  if (asked === 'ports') {
    process.send?.(gateway.ports)
    return
  }
  if (asked !== 'page') {
    process.send?.(process.memoryUsage().rss)
    return
  }
  const page = createServer((_, answer) => answer.end('alive')).listen(0, '127.0.0.1', () => {
    process.send?.((page.address() as AddressInfo).port)
  })
})
process.on('disconnect', () => process.exit(0))
