import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { clientConfigSchema, type ClientConfig } from '@saddle/contract/clientConfig.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import type { Audit } from '#audit/public.ts'
import { addressBucket } from '#kit/address.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Domain } from '#kit/domain.ts'
import { seekLeadership } from '#kit/cluster/leader.ts'
import { isFinanceHost } from '#kit/config.ts'
import type { Kit } from '#kit/kit.ts'
import type { Lifecycle } from '#kit/lifecycle.ts'
import { createLimiter } from '#kit/limits.ts'
import { createAdmission } from './admission.ts'
import { registerArtefacts } from './artefactFiles.ts'
import { registerBank } from './bankPages.ts'
import { createCallMetrics } from './callMetrics.ts'
import { createClusterMetrics, type ClusterMetrics } from './clusterMetrics.ts'
import { registerLogos } from './brandLogo.ts'
import { createDomains, type Domains } from './domains.ts'
import { ensureFirstAdmin } from './firstAdmin.ts'
import { startForgettingKeys } from './forgottenKeys.ts'
import { registerGbfs } from './gbfsFeeds.ts'
import { createGuards } from './guards.ts'
import { createHttp, type AllHandlers, type HttpOptions } from './http.ts'
import { attachLiveSocket } from './liveSocket.ts'
import { registerMds } from './mdsProvider.ts'
import { registerOutboxPage } from './outboxPage.ts'
import { registerPaymentCallBacks } from './paymentCallBacks.ts'
import { registerPages } from './page.ts'
import { registerPartnerApi } from './partnerApi.ts'
import { createProbes, registerDocs, registerProbes } from './probes.ts'
import { createRefusalNotes } from './refusalNotes.ts'

const publicCallsPerMinute = 120
const listenBacklog = 4_096
const publicCallersRemembered = 50_000
/** Folder of the console as the repository builds it. */
export const consoleDir = fileURLToPath(new URL('../../../console/dist', import.meta.url))

export interface PlatformOptions {
  readonly kit: Kit
  readonly lifecycle: Lifecycle
  readonly metrics: Registry
  readonly build: string
  /** Folder of the built console; null serves calls only. */
  readonly consoleDir: string | null
}

export interface Platform {
  /** Address of console and calls; null when this process does not serve them. */
  readonly url: string | null
  /** Address of health, readiness and metrics, which every process has. */
  readonly probesUrl: string
  /** TCP ports of the open listeners for devices; none without the gateway. */
  readonly devicePorts: DevicePorts
  readonly domains: Domains
}

/** Builds every domain, connects them, and starts the services that the configuration names. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { kit, lifecycle, metrics } = options
  const { audit, domains, handlers } = await createDomains(kit, { metrics })
  if (!isFinanceHost(kit.config)) await ensureFirstAdmin({ kit, audit, ...domains })
  closeAtTheEnd({ lifecycle, kit, domains })

  const clusterMetrics = createClusterMetrics(metrics, kit)
  const { services } = kit.config
  const devicePorts = await startGateway({ lifecycle, config: kit.config, ...domains })
  if (services.includes('worker'))
    lifecycle.onStop({ phase: 'drain', name: 'jobs', run: startWorker({ ...options, clusterMetrics }, domains) })
  const api = { ...options, audit, domains, handlers }
  if (!isFinanceHost(kit.config) && !services.includes('api'))
    return { url: null, probesUrl: await listen(options, createProbes(options)), devicePorts, domains }
  const url = await (isFinanceHost(kit.config) ? startFinanceHost(api) : startApi(api))
  return { url, probesUrl: url, devicePorts, domains }
}

/** Runs the jobs of all domains: at once in a single server, and in the one process of a cluster that leads. */
function startWorker(
  { kit, metrics, clusterMetrics }: PlatformOptions & { readonly clusterMetrics: ClusterMetrics },
  domains: Domains,
): () => Promise<void> {
  const { config, log } = kit
  const { leads } = clusterMetrics
  const lead = (): (() => Promise<void>) => {
    const jobs = Object.values<Domain>(domains).flatMap(({ startBackground }) =>
      startBackground === undefined ? [] : [startBackground(metrics)],
    )
    const ends = [...jobs, startForgettingKeys(kit)]
    leads.set(1)
    return async () => {
      leads.set(0)
      const ended = await Promise.allSettled(ends.map(async (end) => end()))
      for (const outcome of ended) {
        if (outcome.status === 'rejected') log.error({ err: outcome.reason as unknown }, 'a job did not stop cleanly')
      }
    }
  }
  const { cluster, databaseUrl: url } = config
  return cluster && url !== undefined ? seekLeadership({ url, log, task: 'jobs', lead }) : lead()
}

export type DevicePorts = Readonly<Partial<Record<DeviceProtocol, number>>>

/** Opens the ports of vehicles where this process has that service. */
async function startGateway(
  options: Pick<PlatformOptions, 'lifecycle'> & Pick<Domains, 'fleet' | 'telemetry'> & Pick<Kit, 'config'>,
): Promise<DevicePorts> {
  const { lifecycle, config, fleet, telemetry } = options
  const { services, cluster } = config
  if (!services.includes('gateway')) return {}
  // Before any vehicle signs in: each takes up its commands then. In a cluster, leases say whose commands were cut off.
  if (!cluster) await fleet.commands.takeOver()
  const gateway = await telemetry.startGateway()
  lifecycle.onStop({ phase: 'drain', name: 'gateway', run: () => gateway.close() })
  // 0: closed.
  return Object.fromEntries(Object.entries(gateway.ports).filter(([, port]) => port !== 0))
}

/** What every process holds open, whichever services it has. */
function closeAtTheEnd(held: Pick<PlatformOptions, 'lifecycle' | 'kit'> & { readonly domains: Domains }): void {
  const { lifecycle, kit, domains } = held
  lifecycle.onStop({ phase: 'close', name: 'database', run: () => kit.db.close() })
  lifecycle.onStop({ phase: 'close', name: 'bus', run: () => kit.bus.close() })
  for (const [name, { close }] of Object.entries<Domain>(domains)) {
    if (close !== undefined) lifecycle.onStop({ phase: 'close', name, run: close })
  }
}

type ApiOptions = PlatformOptions & {
  readonly audit: Audit
  readonly domains: Domains
  readonly handlers: AllHandlers
}

type Served = Pick<HttpOptions, 'isServed'>

/** The calls behind their guards, and the probes: what every process that answers calls has. */
async function createCalls(options: ApiOptions, { isServed }: Served) {
  const { kit, lifecycle, metrics, audit, domains } = options
  const { identity, riding, finance } = domains
  const notes = createRefusalNotes({ kit, audit })
  lifecycle.onStop({ phase: 'drain', name: 'refusal notes', run: notes.close })
  const guards = createGuards({
    identity,
    clock: kit.clock,
    appOfKey: riding.appOfKey,
    accountOf: (agentId) => finance.accountStatus(scopeOfAgent(agentId), agentId),
  })
  const callers = createLimiter({
    limit: publicCallsPerMinute,
    windowMs: minuteMs,
    maxKeys: publicCallersRemembered,
    clock: kit.clock,
  })
  const http = await createHttp({
    kit,
    guards,
    handlers: options.handlers,
    admission: createAdmission({ clock: kit.clock }),
    isServed,
    onRefusal: notes.onRefusal,
    isPublicCallAllowed: (address) => callers.take(addressBucket(address)).allowed,
    onMapCall: (agentId) => domains.serviceBills.tally('map_call', agentId),
    onAnswered: createCallMetrics(metrics),
  })
  registerProbes({ http, kit, lifecycle, metrics, build: options.build })
  lifecycle.onStop({ phase: 'refuse', name: 'access watch', run: identity.startAccessWatch() })
  return { http, guards }
}

/** Listens, and returns the address. */
async function listen({ kit, lifecycle }: PlatformOptions, http: FastifyInstance): Promise<string> {
  lifecycle.onStop({ phase: 'drain', name: 'http', run: () => http.close() })
  // After a restart many clients reconnect at once; those beyond the backlog retry seconds later.
  await http.listen({ port: kit.config.port, host: kit.config.host, backlog: listenBacklog })
  const { port } = http.server.address() as AddressInfo
  return `http://localhost:${port}`
}

/**
 * The finance host: the calls of finance and the probes, on the database of the server that runs beside it. That one has
 * the console, the jobs, the vehicles, and what channels and the bank send.
 */
async function startFinanceHost(options: ApiOptions): Promise<string> {
  const { http } = await createCalls(options, { isServed: ({ host }) => host === 'finance' })
  return listen(options, http)
}

async function startApi(options: ApiOptions): Promise<string> {
  const { kit, lifecycle, domains, build } = options
  const { identity, telemetry, finance, companies } = domains
  const { http, guards } = await createCalls(options, { isServed: () => true })
  registerDocs({ http, kit, build })
  registerOutboxPage({ http, kit, outbox: identity.outbox })
  registerLogos(http, companies.logo)
  registerPaymentCallBacks({ http, finance })
  registerBank({ http, finance })
  registerArtefacts(http, domains.production)
  registerGbfs({ http, kit, gbfs: domains.feeds.gbfs })
  registerMds({ http, kit, mds: domains.feeds.mds })
  registerPartnerApi({ http, kit, partners: domains.partners })
  if (options.consoleDir !== null) await registerConsole({ ...options, http, consoleDir: options.consoleDir })
  const feed = await telemetry.startFeed()
  const socket = attachLiveSocket({ http, kit, guards, sessions: identity.sessions, feed })
  lifecycle.onStop({ phase: 'refuse', name: 'live sockets', run: () => socket.close() })
  lifecycle.onStop({ phase: 'refuse', name: 'live index', run: () => feed.close() })
  const url = await listen(options, http)
  finance.takesCallBacksAt(url)
  domains.production.transfers.addresses.servedAt(url)
  domains.feeds.servedAt(url)
  lifecycle.onStop({ phase: 'refuse', name: 'sandbox bank', run: finance.bank.startSandbox() })
  return url
}

type ConsoleOptions = ApiOptions & {
  readonly http: FastifyInstance
  readonly consoleDir: string
}

async function registerConsole({ http, kit, domains, build, consoleDir }: ConsoleOptions): Promise<void> {
  const { config } = kit
  const hosts = {
    user: config.hostUser,
    platform: '',
    finance: config.hostFinance,
    python: config.hostPython,
    map: config.hostMap,
  }
  const tilesDir = config.tilesDir ?? join(config.dataDir, 'tiles')
  const city = readCity(tilesDir)
  await registerPages(http, {
    consoleDir,
    tilesDir: city === null ? null : tilesDir,
    otherHosts: [...Object.values(hosts), config.chatScriptUrl ?? '', config.mapTilesUrl ?? '']
      .filter((host) => host !== '')
      .map(originOf),
    scriptHosts: config.chatScriptUrl === undefined ? [] : [originOf(config.chatScriptUrl)],
    clientConfig: ({ insecureTransport }): ClientConfig => ({
      build,
      serverKey: domains.identity.serverKey,
      demo: config.demo,
      apiKey: config.consoleApiKey,
      hosts,
      chatScriptUrl: config.chatScriptUrl ?? null,
      tilesUrl: city === null ? null : '/tiles/{z}/{x}/{y}.pbf',
      tileProvider: tileProviderOf(config),
      city,
      insecureTransport,
      serverTime: kit.clock.now(),
    }),
  })
}

const originOf = (address: string): string => new URL(address).origin

function tileProviderOf(config: Kit['config']): ClientConfig['tileProvider'] {
  const { mapTilesUrl: url, mapTilesDatum: datum, mapTilesAttribution: attribution, mapTilesMaxZoom: maxZoom } = config
  return url === undefined ? null : { url, datum, attribution, maxZoom }
}

/** What the tile generator wrote down about its city; null when there are no tiles. */
function readCity(tilesDir: string): ClientConfig['city'] {
  const file = join(tilesDir, 'city.json')
  if (!existsSync(file)) return null
  return clientConfigSchema.shape.city.parse(JSON.parse(readFileSync(file, 'utf8')))
}
