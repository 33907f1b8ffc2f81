import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Linux counts processor time in these. */
export const ticksASecond = 100

type Process = { readonly pid: number; readonly parent: number; readonly name: string; readonly ticks: number }

/** Every process that is alive, with its own time and that of children that have ended. */
function processes(): Process[] {
  return readdirSync('/proc').flatMap((entry): Process[] => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const line = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      const fields = line
        .slice(line.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [, parent = 0, , , , , , , , , , own = 0, system = 0, ended = 0, endedSystem = 0] = fields
      return [{ pid: Number(entry), parent, name: nameOf(command), ticks: own + system + ended + endedSystem }]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

function nameOf(command: string): string {
  if (command.startsWith('postgres:') || /\/postgres\b/.test(command)) return 'PostgreSQL'
  return /simulator/.test(command) ? 'city' : /apps\/server/.test(command) ? 'server' : 'other'
}

/** Processor time in ticks by name of what descends from this process, without itself, or from PostgreSQL's first process. */
export function ticksByName(postmaster: number): Map<string, number> {
  const all = processes()
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === postmaster || (at === process.pid && pid !== process.pid)) return true
    }
    return false
  }
  const sums = new Map<string, number>()
  for (const { pid, name, ticks } of all) if (isOurs(pid)) sums.set(name, (sums.get(name) ?? 0) + ticks)
  return sums
}

export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  await client.end()
  return Number(readFileSync(`${rows[0]?.folder}/postmaster.pid`, 'utf8').split('\n')[0])
}
