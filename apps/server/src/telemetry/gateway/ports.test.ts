import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { StartRefusal } from '#kit/start/refusal.ts'
import { testDatabase } from '#test/database.ts'
import { eventually, field, openLine, seedField, signIn, startField, type Field } from '#telemetry/field.fixture.ts'
import { lineBudget } from './admission.ts'
import { makeCertificate } from './certificate.fixture.ts'
import { lookEveryMs } from './certificate.ts'
import { modern, openTerminal, signInTerminal } from './jt808/jt808.fixture.ts'
import { gatewayLimits } from './limits.ts'
import { connectPacket, openMqtt } from './mqtt/mqtt.fixture.ts'
import { createDeviceSecrets } from './secrets.ts'

const { db, url, owner } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'saddle-tls-'))
const certFile = join(folder, 'cert.pem')
const keyFile = join(folder, 'key.pem')
const sites: Field[] = []
const sockets: Socket[] = []

beforeAll(() => seedField(owner))
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(sites.splice(0).map(({ gateway }) => gateway.close()))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function start(env: Record<string, string> = {}): Promise<Field> {
  const site = await startField(db, env)
  sites.push(site)
  return site
}

function writeCertificate(): { cert: string } {
  const { cert, key } = makeCertificate()
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  return { cert }
}

async function secured(port: number, cert: string): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: cert })
  sockets.push(socket)
  await once(socket, 'secureConnect')
  return socket
}

/** A socket that says nothing. */
async function silent(port: number, host = '127.0.0.1'): Promise<Socket & { closedNow: Promise<unknown> }> {
  const socket = connect({ port, host })
  sockets.push(socket)
  socket.on('error', () => {})
  const closedNow = new Promise((resolve) => void socket.once('close', resolve))
  await Promise.race([new Promise((resolve) => void socket.once('connect', resolve)), closedNow])
  socket.resume()
  return Object.assign(socket, { closedNow })
}

const refusedOf = async (site: Field): Promise<Record<string, number>> => {
  const { values } = await site.metrics.refused.get()
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.protocol} ${labels.reason}`, value]))
}

describe('over TLS', () => {
  const tls = {
    GATEWAY_TLS_CERT: certFile,
    GATEWAY_TLS_KEY: keyFile,
    OMNI_TLS_PORT: '0',
    JT808_TLS_PORT: '0',
    MQTT_TLS_PORT: '0',
  }

  it('each protocol is spoken as it is without', async () => {
    const { cert } = writeCertificate()
    const site = await start(tls)
    const { tlsPorts } = site.gateway
    const omni = await site.addVehicle()
    const line = await openLine({ port: 0, imei: omni.imei, socket: await secured(tlsPorts.omni, cert) })
    line.say(signIn, { instruction: 'W0', alarm: 2 })
    expect(await line.next()).toMatchObject({ instruction: 'ack', of: 'W0' })

    const terminal = await site.addVehicle(field.north, { protocol: 'jt808' })
    const socket = await secured(tlsPorts.jt808, cert)
    await signInTerminal(await openTerminal({ port: 0, head: modern(terminal.imei), socket }), terminal.number)

    const vehicle = await site.addVehicle(field.north, { protocol: 'mqtt' })
    const mqtt = await openMqtt({ port: 0, version: 5, socket: await secured(tlsPorts.mqtt, cert) })
    const of = { imei: vehicle.imei, secretGeneration: 0 }
    const password = createDeviceSecrets(site.kit.secrets).deviceSecret(of)
    mqtt.send(connectPacket({ imei: vehicle.imei, password, version: 5 }))
    expect(await mqtt.next()).toMatchObject({ cmd: 'connack', reasonCode: 0 })
  })

  it('words that are no TLS, and a handshake that never begins, close their line', async () => {
    writeCertificate()
    const site = await start(tls)
    const plain = await silent(site.gateway.tlsPorts.mqtt)
    plain.write('GET / HTTP/1.1\r\n\r\n')
    await plain.closedNow
    await eventually(async () => expect(await refusedOf(site)).toMatchObject({ 'mqtt tls': 1 }))
    // The gateway ends although a handshake is under way.
    await silent(site.gateway.tlsPorts.omni)
  })

  it('a renewed certificate is in force without a restart, and one that is broken changes nothing', async () => {
    const old = writeCertificate()
    const site = await start(tls)
    await secured(site.gateway.tlsPorts.omni, old.cert)
    const renewed = writeCertificate()
    site.kit.clock.advance(lookEveryMs)
    await site.gateway.tick()
    await secured(site.gateway.tlsPorts.omni, renewed.cert)
    writeFileSync(keyFile, makeCertificate().key)
    site.kit.clock.advance(lookEveryMs)
    await site.gateway.tick()
    const line = await secured(site.gateway.tlsPorts.omni, renewed.cert)
    expect(line.authorized).toBe(true)
  })

  it('the plain ports may be closed', async () => {
    const { cert } = writeCertificate()
    const site = await start({ ...tls, GATEWAY_PLAIN: 'false' })
    expect(site.gateway).toMatchObject({ ports: { omni: 0, jt808: 0, mqtt: 0 } })
    expect((await secured(site.gateway.tlsPorts.omni, cert)).authorized).toBe(true)
  })

  it('a certificate of no use refuses the start in one sentence', async () => {
    writeCertificate()
    writeFileSync(keyFile, makeCertificate().key)
    await expect(startField(db, tls)).rejects.toThrow(StartRefusal)
  })
})

describe('who may come in', () => {
  it('is who calls from an allowed network', async () => {
    const site = await start({ GATEWAY_ALLOW: '127.0.0.2, 10.0.0.0/8, fd00::/8' })
    const outsider = await silent(site.gateway.ports.omni)
    await outsider.closedNow
    const known = connect({ port: site.gateway.ports.omni, host: '127.0.0.1', localAddress: '127.0.0.2' })
    sockets.push(known)
    await once(known, 'connect')
    await eventually(async () =>
      expect(await site.registry.getSingleMetricAsString('saddle_gateway_connections')).toMatch(/ 1$/),
    )
    expect(await refusedOf(site)).toEqual({ 'omni network': 1 })
  })

  it('is one of few outsiders of its address; vehicles that have signed in are not counted', async () => {
    const site = await start({ GATEWAY_LINES_PER_ADDRESS: '3' })
    for (let n = 0; n < 5; n += 1) {
      const { imei } = await site.addVehicle()
      const line = await openLine({ port: site.gateway.ports.omni, imei })
      sockets.push(line.socket)
      line.say(signIn, { instruction: 'W0', alarm: 2 })
      await line.next()
    }
    for (let n = 0; n < 3; n += 1) await silent(site.gateway.ports.mqtt)
    const fourth = await silent(site.gateway.ports.jt808)
    await fourth.closedNow
    expect(await refusedOf(site)).toEqual({ 'jt808 address': 1 })
    site.kit.clock.advance(gatewayLimits.signInWithinMs + 1)
    await site.gateway.tick()
    await eventually(async () =>
      expect(await site.registry.getSingleMetricAsString('saddle_gateway_connections')).toMatch(/ 5$/),
    )
    const again = await silent(site.gateway.ports.jt808)
    await eventually(async () =>
      expect(await site.registry.getSingleMetricAsString('saddle_gateway_connections')).toMatch(/ 6$/),
    )
    expect(again.destroyed).toBe(false)
  })
})

describe('a flood of lines', () => {
  it('leaves descriptors for everything else', () => {
    expect(lineBudget({ descriptors: 400, most: 20_000 })).toBe(200)
    expect(lineBudget({ descriptors: 4_096, most: 20_000 })).toBe(3_072)
    expect(lineBudget({ descriptors: 1_048_576, most: 20_000 })).toBe(20_000)
  })

  it('does not keep a process with few descriptors from answering pages', { timeout: 60_000 }, async () => {
    const script = fileURLToPath(new URL('gatewayProcess.fixture.ts', import.meta.url))
    const node = `'${process.execPath}' --disable-warning=ExperimentalWarning '${script}' '${url}'`
    const child = spawn('sh', ['-c', `ulimit -n 300; exec ${node}`], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    try {
      const [port] = (await once(child, 'message')) as [number]
      child.send('page')
      const [page] = (await once(child, 'message')) as [number]
      const flood = await Promise.all(Array.from({ length: 400 }, () => silent(port)))
      const answer = await fetch(`http://127.0.0.1:${page}/`)
      expect(await answer.text()).toBe('alive')
      await eventually(() => expect(flood.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(250))
    } finally {
      child.kill('SIGKILL')
    }
  })
})
