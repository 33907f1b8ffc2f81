import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { clientConfigSchema, type ClientConfig } from '@saddle/contract/clientConfig.ts'
import { createAudit, createAuditTrail } from '#audit/public.ts'
import { createFinance, createInvoices, type Finance, type Invoices } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createIdentity, type Identity } from '#identity/public.ts'
import { addressBucket } from '#kit/address.ts'
import type { Kit } from '#kit/kit.ts'
import type { Lifecycle } from '#kit/lifecycle.ts'
import { createLimiter } from '#kit/limits.ts'
import { createOperations, reportFault, type Operations } from '#operations/public.ts'
import { createFranchise, createOrganisation, createPeople } from '#organisation/public.ts'
import { createPhotos } from '#photos/public.ts'
import { createRiderDesk, createRiders, type RiderDesk } from '#rider/public.ts'
import { createRiding, type Riding } from '#riding/public.ts'
import { createComplaints, createSupport, type Complaints } from '#support/public.ts'
import { createTelemetry } from '#telemetry/public.ts'
import { createAdmission } from './admission.ts'
import { createCallMetrics } from './callMetrics.ts'
import { registerLogos } from './brandLogo.ts'
import { ensureFirstAdmin } from './firstAdmin.ts'
import { startForgettingKeys } from './forgottenKeys.ts'
import { createGuards } from './guards.ts'
import { createHttp } from './http.ts'
import { attachLiveSocket } from './liveSocket.ts'
import { registerOutboxPage } from './outboxPage.ts'
import { registerPaymentCallBacks } from './paymentCallBacks.ts'
import { registerPages } from './page.ts'
import { registerProbes } from './probes.ts'
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
  /** TCP ports of the listeners for devices; null without the gateway. */
  readonly omniPort: number | null
  readonly jt808Port: number | null
  readonly mqttPort: number | null
  readonly identity: Identity
  readonly fleet: ReturnType<typeof createFleet>
  readonly riding: Riding
  readonly operations: Pick<Operations, 'fillHistory' | 'handlers'>
  readonly finance: Pick<Finance, 'fillHistory'>
  readonly riders: RiderDesk
  readonly complaints: Complaints
  readonly invoices: Invoices
}

/** Builds every domain, connects them, and starts the services that the configuration names. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { kit, lifecycle, metrics } = options
  const audit = createAudit(kit)
  const identity = await createIdentity(kit, { audit })
  const organisation = createOrganisation(kit)
  await ensureFirstAdmin({ kit, audit, identity, organisation })
  const fleet = createFleet(kit, { audit })
  const finance = createFinance(kit, createRiders(kit))
  const geography = createGeography(kit, { audit })
  const photos = createPhotos(kit)
  const riding = createRiding(kit, { audit, fleet, geography, finance })
  const support = createSupport(kit, { organisation })
  const invoices = createInvoices(kit, { audit, photos, rides: riding.invoicing, riders: createRiders(kit) })
  const complaints = createComplaints(kit, { audit, photos, reportFault })
  const riders = createRiderDesk(kit, {
    audit,
    photos,
    events: { ride: riding.riderEvents, ticket: complaints.riderEvents },
  })
  const operations = createOperations(kit, { audit, fleet, geography, photos })
  const trail = createAuditTrail(kit, { audit, phoneHash: identity.operators.phoneHash })
  const telemetry = createTelemetry(kit, { fleet, audit, organisation, metrics })
  closeAtTheEnd({ lifecycle, kit, finance, identity })

  const { services } = kit.config
  const ports = await startGateway({ lifecycle, services, fleet, telemetry })
  if (services.includes('worker')) {
    lifecycle.onStop({ phase: 'refuse', name: 'login jobs', run: identity.startBackground() })
    lifecycle.onStop({ phase: 'refuse', name: 'fence jobs', run: geography.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'fleet jobs', run: fleet.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'riding jobs', run: riding.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'finance jobs', run: finance.startBackground(metrics) })
    lifecycle.onStop({ phase: 'drain', name: 'rider jobs', run: riders.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'task rules', run: operations.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'audit jobs', run: trail.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'photo jobs', run: photos.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'ticket jobs', run: complaints.startBackground() })
    lifecycle.onStop({ phase: 'drain', name: 'old answers', run: startForgettingKeys(kit) })
  }
  let url: string | null = null
  if (services.includes('api')) {
    const franchise = createFranchise({ kit, audit, identity, geography, photos })
    const handlers = {
      ...identity.handlers,
      ...trail.handlers,
      ...organisation.handlers,
      ...createPeople({ kit, audit, identity, finance }).handlers,
      ...franchise.handlers,
      ...fleet.handlers,
      ...telemetry.handlers,
      ...operations.handlers,
      ...geography.handlers,
      ...riding.handlers,
      ...riders.handlers,
      ...finance.handlers,
      ...support.handlers,
      ...complaints.handlers,
      ...invoices.handlers,
    }
    const notes = createRefusalNotes({ kit, audit })
    lifecycle.onStop({ phase: 'drain', name: 'refusal notes', run: notes.close })
    url = await startApi({
      ...options,
      identity,
      finance,
      riding,
      telemetry,
      handlers,
      logo: franchise.logo,
      notes,
    })
  }
  return {
    url,
    ...ports,
    identity,
    fleet,
    riding,
    operations,
    finance,
    riders,
    complaints,
    invoices,
  }
}

type DevicePorts = Pick<Platform, 'omniPort' | 'jt808Port' | 'mqttPort'>

/** Opens the ports of vehicles where this process has that service. */
async function startGateway(options: {
  lifecycle: PlatformOptions['lifecycle']
  services: readonly string[]
  fleet: Platform['fleet']
  telemetry: ReturnType<typeof createTelemetry>
}): Promise<DevicePorts> {
  const { lifecycle, services, fleet, telemetry } = options
  if (!services.includes('gateway')) return { omniPort: null, jt808Port: null, mqttPort: null }
  // Before any vehicle signs in: each takes up its commands then.
  await fleet.commands.takeOver()
  const gateway = await telemetry.startGateway()
  lifecycle.onStop({ phase: 'drain', name: 'gateway', run: () => gateway.close() })
  const { omniPort, jt808Port, mqttPort } = gateway
  // 0: closed.
  return { omniPort: omniPort || null, jt808Port: jt808Port || null, mqttPort: mqttPort || null }
}

/** What every process holds open, whichever services it has. */
function closeAtTheEnd(
  held: Pick<PlatformOptions, 'lifecycle' | 'kit'> & { finance: Finance; identity: Identity },
): void {
  const { lifecycle, kit, finance, identity } = held
  lifecycle.onStop({ phase: 'close', name: 'database', run: () => kit.db.close() })
  lifecycle.onStop({ phase: 'drain', name: 'ledger', run: () => finance.ledger.close() })
  lifecycle.onStop({ phase: 'close', name: 'bus', run: () => kit.bus.close() })
  lifecycle.onStop({ phase: 'close', name: 'identity', run: () => identity.close() })
}

type ApiOptions = PlatformOptions & {
  readonly identity: Identity
  readonly finance: Finance
  readonly riding: Riding
  readonly telemetry: ReturnType<typeof createTelemetry>
  readonly handlers: Parameters<typeof createHttp>[0]['handlers']
  readonly logo: ReturnType<typeof createFranchise>['logo']
  readonly notes: ReturnType<typeof createRefusalNotes>
}

async function startApi(options: ApiOptions): Promise<string> {
  const { kit, lifecycle, metrics, identity, telemetry, handlers, notes } = options
  const guards = createGuards({ identity, clock: kit.clock, appOfKey: options.riding.appOfKey })
  const callers = createLimiter({
    limit: publicCallsPerMinute,
    windowMs: 60_000,
    maxKeys: publicCallersRemembered,
    clock: kit.clock,
  })
  const http = await createHttp({
    kit,
    guards,
    handlers,
    admission: createAdmission({ clock: kit.clock }),
    onRefusal: notes.onRefusal,
    isPublicCallAllowed: (address) => callers.take(addressBucket(address)).allowed,
    onAnswered: createCallMetrics(metrics),
  })
  registerProbes({ http, kit, lifecycle, metrics, build: options.build })
  registerOutboxPage({ http, kit, outbox: identity.outbox })
  registerLogos(http, options.logo)
  registerPaymentCallBacks({ http, finance: options.finance })
  if (options.consoleDir !== null) await registerConsole({ ...options, http, consoleDir: options.consoleDir })
  const feed = await telemetry.startFeed()
  lifecycle.onStop({ phase: 'refuse', name: 'access watch', run: identity.startAccessWatch() })
  const socket = attachLiveSocket({ http, kit, guards, sessions: identity.sessions, feed })
  lifecycle.onStop({ phase: 'refuse', name: 'live sockets', run: () => socket.close() })
  lifecycle.onStop({ phase: 'refuse', name: 'live index', run: () => feed.close() })
  lifecycle.onStop({ phase: 'drain', name: 'http', run: () => http.close() })
  // A whole office comes back at once after a restart: what finds no place in the backlog tries again seconds later.
  await http.listen({ port: kit.config.port, host: kit.config.host, backlog: listenBacklog })
  const { port } = http.server.address() as AddressInfo
  const url = `http://localhost:${port}`
  options.finance.takesCallBacksAt(url)
  return url
}

type ConsoleOptions = ApiOptions & {
  readonly http: Awaited<ReturnType<typeof createHttp>>
  readonly consoleDir: string
}

async function registerConsole({ http, kit, identity, build, consoleDir }: ConsoleOptions): Promise<void> {
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
      serverKey: identity.serverKey,
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
