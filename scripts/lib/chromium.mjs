import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Path of a Chromium for the browser tests, installed on Debian as root when there is none; null when there is none. */
export function findOrInstallChromium() {
  const found = findChromium()
  if (found !== null) return found
  if (isDebian() && process.getuid?.() === 0) {
    console.log('Installing Chromium for the browser tests …')
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options)
  }
  return findChromium()
}

/** Manual instructions for when this script may not install anything. */
export function chromiumAdvice() {
  const command = isDebian() ? 'sudo apt-get install chromium' : 'install Chromium or Google Chrome'
  return `The browser tests need Chromium and found none: ${command}, or set CHROMIUM_PATH to its program.`
}

function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? given : null
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin')
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).concat(MAC)
  return paths.find((path) => existsSync(path)) ?? null
}

function isDebian() {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
}
