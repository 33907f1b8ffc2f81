// `npm start`: set-up, then the server, and with it the simulated city. Ends when the server ends.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exitCode, NODE, projectEnvironment, ROOT } from './lib/node24.mjs'
import { orOneLine, setUp } from './lib/setup.mjs'

const SERVER = join(ROOT, 'apps', 'server', 'src', 'main.ts')
const SIMULATOR = join(ROOT, 'apps', 'simulator', 'src', 'main.ts')
const CITY = join(ROOT, 'apps', 'simulator', 'src', 'city', 'build.ts')
const DEFAULT_OMNI_PORT = '9680'
// The server tells when it listens; the simulator would only compete with it for the processor before that.
const SIMULATOR_DELAY_MS = 5_000
const RESTART_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000]
const STABLE_MS = 60_000

let isStopping = false
let simulator = null

// Children get an IPC channel: it closes when this process dies, however it dies, and they end themselves then.
function start(script, args, env) {
  return spawn(NODE, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

function startSimulator(omniPort, failures = 0) {
  if (isStopping || simulator !== null || !existsSync(SIMULATOR)) return
  const startedAt = Date.now()
  simulator = start(SIMULATOR, [`--omni=127.0.0.1:${omniPort}`], projectEnvironment())
  let hasEnded = false
  const onEnd = (reason) => {
    if (hasEnded) return
    hasEnded = true
    simulator = null
    if (isStopping) return
    const count = Date.now() - startedAt > STABLE_MS ? 0 : failures
    const pauseMs = RESTART_MS[Math.min(count, RESTART_MS.length - 1)]
    console.error(`The simulated city ended (${reason}); it starts again in ${pauseMs / 1000} s.`)
    setTimeout(() => startSimulator(omniPort, count + 1), pauseMs).unref()
  }
  simulator.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`))
  simulator.once('error', (error) => onEnd(error.message))
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

function runServer() {
  const isDemo = (process.env.DEMO ?? 'true') === 'true'
  if (isDemo) drawCity()
  const server = start(SERVER, process.argv.slice(2), projectEnvironment({ DEMO: String(isDemo) }))
  const omniPort = process.env.OMNI_PORT ?? DEFAULT_OMNI_PORT
  if (isDemo) {
    server.on('message', (message) => {
      if (message?.type === 'listening') startSimulator(message.omniPort ?? omniPort)
    })
    setTimeout(() => startSimulator(omniPort), SIMULATOR_DELAY_MS).unref()
  }
  const stop = (signal) => {
    isStopping = true
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
    simulator?.kill('SIGTERM')
    process.exit(exitCode(code, signal))
  })
}

await orOneLine(() => {
  setUp()
  runServer()
})
