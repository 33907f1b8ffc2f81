// `npm start`: set-up, then the server, and with it the simulated city. Ends when the server ends.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCode, NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { orOneLine, setUp } from './lib/setup.mjs'

const SERVER = join(ROOT, 'apps', 'server', 'src', 'main.ts')
const SIMULATOR = join(ROOT, 'apps', 'simulator', 'src', 'main.ts')
const CITY = join(ROOT, 'apps', 'simulator', 'src', 'city', 'build.ts')
const HISTORY = join(ROOT, 'apps', 'simulator', 'src', 'history', 'main.ts')
const DEFAULT_PORTS = { omni: '9680', jt808: '9808', mqtt: '9883' }
// The city goes on from the end of its history. When nobody says that it was read in, it lives without.
const HISTORY_PATIENCE_MS = 60_000
const RESTART_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000]
const STABLE_MS = 60_000

let isStopping = false
let simulator = null
let history = null

// Children get an IPC channel: it closes when this process dies, however it dies, and they end themselves then.
function start(script, args, env) {
  return spawn(NODE, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** Where the demo keeps its own things. */
function demoFiles() {
  const data = process.env.DATA_DIR ?? join(ROOT, 'data')
  const history = join(data, 'history')
  return {
    history,
    manifest: join(history, 'manifest.json'),
    state: join(history, 'life.json'),
    devices: join(data, 'demo-devices.json'),
    riders: join(data, 'demo-riders.json'),
    data,
  }
}

function startSimulator({ url, ports }, failures = 0) {
  if (isStopping || simulator !== null || !existsSync(SIMULATOR)) return
  const startedAt = Date.now()
  const { state, devices, riders, data } = demoFiles()
  const gateways = Object.entries(ports).map(([protocol, port]) => `--${protocol}=127.0.0.1:${port}`)
  // A server without the calls has no address for them.
  const app = url ? [`--api=${url}`, `--riders=${riders}`, `--staff=${data}`] : []
  const args = [...gateways, ...app, `--devices=${devices}`, `--state=${state}`]
  simulator = start(SIMULATOR, args, projectEnvironment())
  let hasEnded = false
  const onEnd = (reason) => {
    if (hasEnded) return
    hasEnded = true
    simulator = null
    if (isStopping) return
    const count = Date.now() - startedAt > STABLE_MS ? 0 : failures
    const pauseMs = RESTART_MS[Math.min(count, RESTART_MS.length - 1)]
    console.error(`The simulated city ended (${reason}); it starts again in ${pauseMs / 1000} s.`)
    setTimeout(() => startSimulator({ url, ports }, count + 1), pauseMs).unref()
  }
  simulator.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`))
  simulator.once('error', (error) => onEnd(error.message))
}

/** Thirty days of the city's past, once: the simulator writes them while the server starts, which reads them in. */
function writeHistory() {
  const { history: out, manifest, state } = demoFiles()
  if (existsSync(manifest)) return
  history = start(HISTORY, ['--out', out, '--state', state], projectEnvironment())
  history.once('exit', (code) => {
    history = null
    if (code !== 0 && !isStopping) console.error("The demo's past could not be made; the demo begins today.")
  })
  history.once('error', (error) => console.error(`The demo's past could not be made: ${error.message}`))
}

/** The demo city's map; takes a second the first time and nothing afterwards. */
function drawCity() {
  if (process.env.TILES_DIR) return
  const out = join(process.env.DATA_DIR ?? join(ROOT, 'data'), 'tiles')
  const args = ['--disable-warning=ExperimentalWarning', CITY, '--out', out]
  const { status } = spawnSync(NODE, args, {
    cwd: ROOT,
    env: projectEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) console.error('The map of the demo city could not be drawn; the map page has no streets.')
}

/** Starts the simulator when the server listens and knows where the history has left the vehicles. */
function followServer(server) {
  const ports = {
    omni: process.env.OMNI_PORT ?? DEFAULT_PORTS.omni,
    jt808: process.env.JT808_PORT ?? DEFAULT_PORTS.jt808,
    mqtt: process.env.MQTT_PORT ?? DEFAULT_PORTS.mqtt,
  }
  let url = null
  server.on('message', (message) => {
    if (message?.type === 'listening') {
      url = message.url?.replace('localhost', '127.0.0.1') ?? null
      for (const protocol of Object.keys(ports)) ports[protocol] = message[`${protocol}Port`] ?? ports[protocol]
      setTimeout(() => startSimulator({ url, ports }), HISTORY_PATIENCE_MS).unref()
    }
    if (message?.type === 'history') startSimulator({ url, ports })
  })
}

function runServer() {
  const isDemo = (process.env.DEMO ?? 'true') === 'true'
  if (isDemo) {
    drawCity()
    writeHistory()
  }
  const server = start(SERVER, process.argv.slice(2), projectEnvironment({ DEMO: String(isDemo) }))
  if (isDemo) followServer(server)
  const stop = (signal) => {
    isStopping = true
    history?.kill(signal)
    simulator?.kill(signal)
    server.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  server.once('error', (error) => {
    console.error(`The server cannot be run: ${error.message}`)
    process.exit(1)
  })
  server.once('exit', (code, signal) => {
    isStopping = true
    history?.kill('SIGTERM')
    simulator?.kill('SIGTERM')
    process.exit(exitCode(code, signal))
  })
}

await orOneLine(() => {
  setUp()
  runServer()
})
