// `npm start`: set-up, then the server, and with it the simulated city. A crashed server is restarted. This script's
// own messages go to standard error, because standard output is the server's log.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hashSources, readStamp, writeStamp } from './lib/files.mjs'
import { exitCode, NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { orOneLine, setUp } from './lib/setup.mjs'
import { isCrash, superviseChild, watchParent } from './lib/supervisor.mjs'

const SERVER = join(ROOT, 'apps', 'server', 'src', 'main.ts')
const SIMULATOR = join(ROOT, 'apps', 'simulator', 'src', 'main.ts')
const CITY = join(ROOT, 'apps', 'simulator', 'src', 'city', 'build.ts')
const CITY_SOURCES = [join(ROOT, 'apps', 'simulator', 'src', 'city'), join(ROOT, 'packages', 'contract', 'src', 'demo')]
const HISTORY = join(ROOT, 'apps', 'simulator', 'src', 'history', 'main.ts')
const STEP_DOWN = join(ROOT, 'apps', 'server', 'src', 'kit', 'postgres', 'stepDownCli.ts')
const COMPILED = join(ROOT, '.cache', 'compiled')
// The simulator continues from the end of the history. Without a report that it was loaded, it starts without it.
const HISTORY_PATIENCE_MS = 60_000
/** Longer than the sum of the server's own shutdown timeouts. */
const STOP_MS = 45_000

let isStopping = false
let server = null
let simulator = null
let history = null
let serverCode = 0
/** Whether the server has ever listened, and whether it has announced an intended exit. */
let hasListened = false
let isFinal = false
/** What the server reported on listening: its address, the port of each protocol, and the settings that keep them. */
const address = { url: null, devicePorts: {}, settings: {} }

/** The account that runs everything when this process is root; null: the current one. */
let account = null
/** Root starts everything under an unprivileged account, where that can read the clone. */
function stepDown() {
  if (process.getuid?.() !== 0) return
  const { data } = demoFiles()
  const { status, stdout } = spawnSync(
    NODE,
    ['--disable-warning=ExperimentalWarning', STEP_DOWN, ROOT, data, COMPILED],
    { cwd: ROOT, env: projectEnvironment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const answer = status === 0 ? JSON.parse(stdout) : { reason: 'the account could not be prepared' }
  if (answer.uid === undefined)
    console.error(`WARNING: started as root, and everything stays with root: ${answer.reason}.`)
  else account = answer
}

// Children get an IPC channel: it closes when this process dies, however it dies, and they end themselves then.
function start(script, args, env) {
  // The debugger's port of the server, on this machine only.
  const inspect =
    script === SERVER && process.env.SADDLE_INSPECT ? [`--inspect=127.0.0.1:${process.env.SADDLE_INSPECT}`] : []
  return spawn(NODE, ['--disable-warning=ExperimentalWarning', ...inspect, script, ...args], {
    cwd: ROOT,
    // Caches Node's compiled code: compiling the sources takes most of the start-up time.
    env: { NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...account,
  })
}

/** Folder for the demo's own data. */
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

function startSimulator({ url, devicePorts }) {
  if (isStopping || simulator !== null || !existsSync(SIMULATOR)) return
  const { state, devices, riders, data } = demoFiles()
  const gateways = Object.entries(devicePorts).map(([protocol, port]) => `--${protocol}=127.0.0.1:${port}`)
  // A server without rider calls reports no address for them.
  const app = url ? [`--api=${url}`, `--riders=${riders}`, `--staff=${data}`] : []
  const args = [...gateways, ...app, `--devices=${devices}`, `--state=${state}`]
  simulator = superviseChild({
    name: 'The simulated city',
    launch: () => start(SIMULATOR, args, projectEnvironment()),
    shouldRestart: () => true,
    onGone: () => {
      simulator = null
      endWhenAllEnded()
    },
  })
}

/** Thirty days of the city's past, once: the simulator writes them while the server starts, which reads them in. */
function writeHistory() {
  const { history: out, manifest, state } = demoFiles()
  if (existsSync(manifest)) return
  history = start(HISTORY, ['--out', out, '--state', state], projectEnvironment())
  history.once('exit', (code) => {
    history = null
    if (code !== 0 && !isStopping) console.error("The demo's past could not be made; the demo begins today.")
    endWhenAllEnded()
  })
  history.once('error', (error) => {
    history = null
    console.error(`The demo's past could not be made: ${error.message}`)
    endWhenAllEnded()
  })
}

/** The demo city's map; takes a second the first time and nothing until the program that draws it changes. */
function drawCity() {
  if (process.env.TILES_DIR) return
  const out = join(demoFiles().data, 'tiles')
  const stamp = join(out, '.drawn-from')
  const wanted = hashSources(CITY_SOURCES)
  if (readStamp(stamp) === wanted) return
  const args = ['--disable-warning=ExperimentalWarning', CITY, '--out', out]
  const { status } = spawnSync(NODE, args, {
    cwd: ROOT,
    env: projectEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
    ...account,
  })
  if (status === 0) writeStamp(stamp, wanted)
  else console.error('The map of the demo city could not be drawn; the map page has no streets.')
}

/** Starts the simulator when the server listens and knows where the history has left the vehicles. */
function followServer(message) {
  if (message.type === 'listening') setTimeout(() => startSimulator(address), HISTORY_PATIENCE_MS).unref()
  if (message.type === 'history') startSimulator(address)
}

/** The ports that the first start chose are kept for the next ones: devices and browsers know them. */
function noteAddress({ url, devicePorts, settings }) {
  address.url = url?.replace('localhost', '127.0.0.1') ?? null
  address.devicePorts = devicePorts
  address.settings = settings
}

function launchServer({ isDemo, hasCity }) {
  const settings = { DEMO: String(isDemo), ...address.settings }
  const child = start(SERVER, process.argv.slice(2), projectEnvironment(settings))
  isFinal = false
  child.on('message', (message) => {
    if (message?.type === 'refused' || message?.type === 'stopping') isFinal = true
    if (message?.type === 'listening') {
      hasListened = true
      noteAddress(message)
    }
    if (hasCity) followServer(message ?? {})
  })
  return child
}

/** `--services finance`: a process beside the server, which has the city. */
function isFinanceHost() {
  const words = process.argv.slice(2).flatMap((word) => word.split('='))
  const named = words.includes('--services') ? words[words.indexOf('--services') + 1] : process.env.SERVICES
  return named === 'finance'
}

function runServer() {
  const isDemo = (process.env.DEMO ?? 'true') === 'true'
  const hasCity = isDemo && !isFinanceHost()
  if (hasCity) {
    drawCity()
    writeHistory()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  // `npm run dev` sends this signal when a server source has changed; Windows does not support it.
  if (process.platform !== 'win32') process.on('SIGUSR2', () => server?.restart())
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => stop('SIGTERM'))
  server = superviseChild({
    name: 'The server',
    launch: () => launchServer({ isDemo, hasCity }),
    shouldRestart: ({ code, signal, error }) => error === null && isCrash({ code, signal, hasListened, isFinal }),
    onGone: ({ code, signal, error }) => {
      if (error !== null) console.error(`The server cannot be run: ${error.message}`)
      server = null
      serverCode = error === null ? exitCode(code, signal) : 1
      stop('SIGTERM')
    },
  })
}

/** Stops everything in order; this process ends last. */
function stop(signal) {
  isStopping = true
  history?.kill(signal)
  simulator?.stop(signal)
  server?.stop(signal)
  setTimeout(() => stop('SIGKILL'), STOP_MS).unref()
  endWhenAllEnded()
}

function endWhenAllEnded() {
  if (isStopping && server === null && simulator === null && history === null) process.exit(serverCode)
}

await orOneLine(() => {
  setUp()
  stepDown()
  runServer()
})
