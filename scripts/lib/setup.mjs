// Everything `npm start` and `npm test` need before they can run. Needs nothing but the system's Node and npm.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { hashSources, readStamp, writeStamp } from './files.mjs'
import { NODE, projectEnvironment, ROOT } from './node24.mjs'

const IS_WINDOWS = process.platform === 'win32'
const MODULES = join(ROOT, 'node_modules')
const INSTALL_STAMP = join(MODULES, '.saddle-installed')
export const CONSOLE = join(ROOT, 'apps', 'console')
export const CONSOLE_STAMP = join(CONSOLE, 'dist', '.built-from')
const BUILD_SOURCES = [
  CONSOLE,
  join(ROOT, 'packages', 'client'),
  join(ROOT, 'packages', 'contract'),
  join(ROOT, 'packages', 'geo'),
  join(ROOT, 'tsconfig.base.json'),
  join(ROOT, 'package-lock.json'),
]

/** Installs what is missing and builds what is stale; says so, and throws with one clear line when it cannot. */
export function setUp() {
  install()
  buildConsole()
}

/** Installs what is missing. */
export function install() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const wanted = `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`
  if (readStamp(INSTALL_STAMP) !== wanted) {
    if (!isInstalled(lock)) installModules()
    ensureNode()
    writeStamp(INSTALL_STAMP, wanted)
  } else {
    ensureNode()
  }
}

/** Whether npm was already run by hand: npm keeps its own list of installed packages. */
function isInstalled(lock) {
  const listFile = join(MODULES, '.package-lock.json')
  if (!existsSync(listFile)) return false
  const installed = JSON.parse(readFileSync(listFile, 'utf8')).packages ?? {}
  return Object.entries(JSON.parse(lock).packages ?? {}).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.link || entry.optional || entry.devOptional || entry.peer)
      return true
    return installed[path]?.version === entry.version
  })
}

function installModules() {
  console.error('Installing dependencies (only when package-lock.json changed) …')
  const common = ['--no-audit', '--no-fund', '--loglevel=error']
  // npm ci also refuses a good lockfile when the registry lacks packages of other systems; npm install skips those.
  const strict = spawnSync('npm', ['ci', ...common], {
    cwd: ROOT,
    env: npmEnvironment(),
    encoding: 'utf8',
    shell: IS_WINDOWS,
  })
  if (strict.status === 0) return
  const reason = /npm error (?!code)(\S.*)/.exec(strict.stderr ?? '')?.[1] ?? strict.error?.message ?? 'no reason given'
  console.error(`npm ci did not work (${reason.slice(0, 100)} …), trying npm install …`)
  if (run('npm', ['install', '--no-save', ...common], npmEnvironment())) return
  throw new Error('The dependencies could not be installed: see npm above; is the package registry reachable?')
}

/** The package `node` fetches its program by an install script, which some systems forbid. */
function ensureNode() {
  if (existsSync(NODE) && run(NODE, ['--version'], process.env, 'ignore')) return
  console.error('Fetching the program of the package "node" …')
  const folder = join(MODULES, 'node')
  const isFetched = run(
    process.execPath,
    ['installArchSpecificPackage.js'],
    npmEnvironment(),
    TO_STANDARD_ERROR,
    folder,
  )
  if (!isFetched || !existsSync(NODE))
    throw new Error('The package "node" has no program for this system; install Node 24 and try again')
}

/** An account without a usable home (a service account) has no place for npm's cache. */
function npmEnvironment() {
  const env = { ...process.env, NODE_ENV: 'development' }
  try {
    accessSync(homedir(), constants.W_OK)
  } catch {
    env.npm_config_cache = join(ROOT, '.cache', 'npm')
    mkdirSync(env.npm_config_cache, { recursive: true })
  }
  return env
}

function buildConsole() {
  if (!existsSync(join(CONSOLE, 'index.html'))) return
  const wanted = hashSources(BUILD_SOURCES)
  if (readStamp(CONSOLE_STAMP) === wanted) return
  console.error('Building the console (only when its sources changed) …')
  const vite = join(MODULES, 'vite', 'bin', 'vite.js')
  const isBuilt = run(
    NODE,
    [vite, 'build', '--logLevel', 'warn'],
    projectEnvironment({ NODE_ENV: 'production' }),
    TO_STANDARD_ERROR,
    CONSOLE,
  )
  if (!isBuilt) throw new Error('The console could not be built: see vite above')
  writeStamp(CONSOLE_STAMP, wanted)
}

/** Keeps the tools' output off standard output, which belongs to the program that is being set up. */
const TO_STANDARD_ERROR = ['inherit', 2, 2]

function run(command, args, env, stdio = TO_STANDARD_ERROR, cwd = ROOT) {
  return spawnSync(command, args, { cwd, env, stdio, shell: IS_WINDOWS && command === 'npm' }).status === 0
}

/** Runs `work`; what it throws becomes one line and exit code 1. */
export async function orOneLine(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}
