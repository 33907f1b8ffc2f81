import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A disk of the run's own, for the database and the folders of the processes. */
export interface Disk {
  readonly folder: string
  fill(): void
  empty(): void
  /** Writes wait, again and again: most of the time nothing reaches the disk. */
  slowDown(forMs: number): Promise<void>
  close(): void
}

const bytes = 4 * 2 ** 30
const heldMs = 400
const freeMs = 60

/** Another process thaws it: this one may itself be waiting for a write to the disk. */
async function hold(place: string): Promise<void> {
  const steps = `fsfreeze -f ${place}; sleep ${heldMs / 1_000}; fsfreeze -u ${place}`
  await once(spawn('sh', ['-c', steps], { stdio: 'ignore' }), 'exit')
}

const run = (command: string, ...words: readonly string[]): boolean => spawnSync(command, words).status === 0

/** An ext4 file system in a file; null without root or without such devices. */
export function openDisk(folder: string): Disk | null {
  const [image, place] = [join(folder, 'disk.img'), join(folder, 'disk')]
  mkdirSync(place, { recursive: true })
  const isMounted =
    run('truncate', '-s', String(bytes), image) &&
    run('mkfs.ext4', '-q', '-m', '0', image) &&
    run('mount', '-o', 'loop', image, place)
  if (!isMounted) return null
  const ballast = join(place, 'ballast')
  const thaw = (): void => void run('fsfreeze', '-u', place)
  return {
    folder: place,
    fill: () => {
      // What is left after a large piece is taken by smaller ones.
      for (const [at, unit] of [2 ** 20, 2 ** 12].entries()) {
        const { bavail, bsize } = statfsSync(place)
        const whole = Math.floor((bavail * bsize) / unit) * unit
        if (whole > 0) run('fallocate', '-l', String(whole), `${ballast}${at}`)
      }
    },
    empty: () => {
      for (const at of [0, 1]) rmSync(`${ballast}${at}`, { force: true })
    },
    slowDown: async (forMs) => {
      const until = performance.now() + forMs
      while (performance.now() < until) {
        await hold(place)
        await sleep(freeMs)
      }
    },
    close: () => {
      thaw()
      run('umount', '-l', place)
      rmSync(image, { force: true })
    },
  }
}
