/**
 * What the demo costs while nobody looks at it: processor time of the server, its city of 2,000 vehicles and PostgreSQL, each of
 * them with the processes that it started, from Linux's own account: `node bench/idle.ts [--quick]`. Other load on the machine
 * makes the same work dearer, so it is said.
 */
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { devicePorts, startCity } from './lib/city.ts'
import { startDemo } from './lib/demo.ts'
import { postmasterOf, ticksASecond, ticksByName } from './lib/processes.ts'
import { isQuick, judge, say, state } from './lib/report.ts'

const warmUpMs = isQuick ? minuteMs : 4 * minuteMs
const measuredMs = isQuick ? minuteMs : 5 * minuteMs
const goal = 0.15
const portOf = await devicePorts()
const demo = await startDemo({ historyDays: 0, env: portSettings(portOf) })
const city = startCity(demo, portOf)
try {
  const postmaster = await postmasterOf(demo.databaseUrl)
  say(`nobody looks; ${warmUpMs / minuteMs} minutes until every vehicle has called, ${measuredMs / minuteMs} measured`)
  await sleep(warmUpMs)
  const before = ticksByName(postmaster)
  const startedAt = performance.now()
  await sleep(measuredMs)
  const seconds = (performance.now() - startedAt) / 1_000
  let whole = 0
  for (const [name, ticks] of ticksByName(postmaster)) {
    const share = (ticks - (before.get(name) ?? 0)) / ticksASecond / seconds
    whole += share
    state(name, percent(share))
  }
  judge({
    what: 'all of it, of one core',
    figure: `${percent(whole)}, other load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(', ')}`,
    isMet: whole <= goal,
    goal: `<= ${percent(goal)}`,
  })
} finally {
  city.kill()
  await once(city, 'exit')
  await demo.stop()
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
