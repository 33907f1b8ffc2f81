import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { portSettings } from '../packages/contract/src/fleet/protocols.ts'
import { ROOT } from './lib/node24.mjs'

/** The first start creates a database, on a machine that may be busy. */
const START_MS = 90_000
const TEST_MS = 240_000

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-start-'))
// The account that runs PostgreSQL needs access to this folder.
chmodSync(dataDir, 0o755)
const started = []
afterEach(async () => {
  for (const one of started.splice(0)) await one.kill()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const anyPorts = { PORT: '0', ...portSettings(() => 0) }

/** `npm start` as a person runs it, on its own data; without the demo, which would generate a city. */
function npmStart(env = {}) {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    // npm must not detect an outer npm, and the server must not see this machine's settings.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DEMO: 'false',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ...anyPorts,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = once(child, 'exit')
  const one = {
    pid: child.pid,
    signal: (signal) => child.kill(signal),
    ended: async () => {
      const [code, signal] = await ended
      return { code, signal }
    },
    out: () => out,
    /** The output on standard error, without npm's own notices, the greeting and warnings of settings. */
    err: () => err.split('\n').filter((line) => line !== '' && !/^(?:npm |WARNING: | {2})/.test(line)),
    warnings: () => err.split('\n').filter((line) => line.startsWith('WARNING: ')),
    kill: async () => {
      for (const pid of treeOf(child.pid)) end(pid)
      if (child.exitCode === null && child.signalCode === null) await ended
    },
  }
  started.push(one)
  return one
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

function processes() {
  return execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && !match[3].startsWith('Z'))
    .map(([, pid, ppid, , args]) => ({ pid: Number(pid), ppid: Number(ppid), args }))
}

/** Process ids of a process and all its descendants, itself first. */
function treeOf(pid) {
  const all = processes()
  const found = [pid]
  for (let index = 0; index < found.length; index += 1)
    found.push(...all.filter(({ ppid }) => ppid === found[index]).map((one) => one.pid))
  return found
}

const serverOf = (npmPid) => {
  const tree = treeOf(npmPid)
  return processes().find(({ pid, args }) => tree.includes(pid) && args.includes('apps/server/src/main.ts'))?.pid
}

const aliveOf = (pids) => processes().filter(({ pid }) => pids.includes(pid))

const addressOf = (one) => /"address":"http:\/\/localhost:(\d+)".*"msg":"listening"/.exec(one.out())?.[1]

async function running(one) {
  await expect.poll(() => addressOf(one) ?? one.err().join('\n'), { timeout: START_MS }).toMatch(/^\d+$/)
  return `http://127.0.0.1:${addressOf(one)}`
}

const isReady = async (url) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

const postmaster = () => {
  const file = join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null
}

it(
  'starts a server that died again on its ports and says so, and SIGTERM to npm itself ends everything in order',
  async () => {
    const one = npmStart()
    const url = await running(one)
    const first = serverOf(one.pid)
    if (process.getuid?.() === 0) {
      // Applies if the account can read the clone; otherwise the script reports that it stays root.
      const isRoot = statSync(`/proc/${first}`).uid === 0
      expect(isRoot).toBe(one.warnings().some((line) => line.includes('everything stays with root')))
    }
    process.kill(first, 'SIGKILL')
    await expect
      .poll(() => one.err(), { timeout: START_MS })
      .toEqual(['The server ended (signal SIGKILL); it starts again in 0.5 s.'])
    await expect.poll(() => isReady(url), { timeout: START_MS }).toBe(true)
    expect(serverOf(one.pid)).not.toBe(first)

    const all = [...treeOf(one.pid), postmaster()]
    expect(all.length).toBeGreaterThan(3)
    one.signal('SIGTERM')
    await one.ended()
    await expect.poll(() => aliveOf(all), { timeout: START_MS }).toEqual([])
    expect(one.err()).toHaveLength(1)
    expect(postmaster()).toBe(null)
    // Apart from npm's own messages, standard output is the server's log.
    const lines = one
      .out()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('> '))
    expect(lines.map((line) => typeof JSON.parse(line).msg)).toEqual(lines.map(() => 'string'))
  },
  TEST_MS,
)

it(
  'ends everything in order on SIGINT to npm itself, and when npm is killed',
  async () => {
    for (const signal of ['SIGINT', 'SIGKILL']) {
      const one = npmStart()
      await running(one)
      const all = [...treeOf(one.pid), postmaster()]
      one.signal(signal)
      await one.ended()
      await expect.poll(() => aliveOf(all), { timeout: START_MS }).toEqual([])
      expect(postmaster()).toBe(null)
    }
  },
  TEST_MS,
)

it(
  'stops when the server itself is asked to stop: that is no death',
  async () => {
    const one = npmStart()
    await running(one)
    process.kill(serverOf(one.pid), 'SIGTERM')
    expect(await one.ended()).toEqual({ code: 0, signal: null })
    expect(one.err()).toEqual([])
  },
  TEST_MS,
)

it(
  'says one line about a port that is taken, about a wrong setting and about services that cannot be split, and ends before it touches a database',
  async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address()
    const untouched = join(dataDir, 'untouched')
    const wrong = [
      [
        { JT808_PORT: String(port) },
        `Port ${port} (JT808_PORT) is taken by another process: is Saddle running already? Stop it or set JT808_PORT.`,
      ],
      [{ PORT: 'x' }, 'Configuration: PORT must be a whole number from 0 to 65535'],
      [
        { SERVICES: 'api' },
        'Configuration: SERVICES must name all of api,gateway,worker, or finance alone; some of them only with CLUSTER=true',
      ],
    ]
    for (const [env, line] of wrong) {
      const one = npmStart({ ...env, DATA_DIR: untouched })
      expect(await one.ended()).toEqual({ code: 1, signal: null })
      expect(one.err()).toEqual([line])
    }
    expect(existsSync(join(untouched, 'postgres'))).toBe(false)
    holder.close()
  },
  TEST_MS,
)
