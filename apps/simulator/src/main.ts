import { demoVehicleLimit } from '@saddle/contract/demo/city.ts'
import { citySeed } from '#sim/city/plan.ts'
import { readOptions } from '#sim/options.ts'
import { startSimulator } from '#sim/simulator.ts'

const usage = `usage: simulator --omni=host:port [--vehicles=48] [--seed=${citySeed}] [--speed=1] [--faults=0.2]
  --vehicles  1 to ${demoVehicleLimit}
  --speed     how many times faster than the clock the city lives, 0.1 to 60
  --faults    0: nothing ever breaks, 1: a bad day
`

/** The simulator is part of a demo: when whoever started it is gone, it goes too, even if that one was killed. */
function dieWithParent(stop: () => void): void {
  const parent = process.ppid
  process.on('disconnect', stop)
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 1000).unref()
}

const parsed = readOptions(process.argv.slice(2))
if ('problem' in parsed) {
  process.stderr.write(`${parsed.problem}\n${usage}`)
  process.exitCode = 1
} else {
  const { options } = parsed
  const simulator = startSimulator(options)
  const stop = () => {
    simulator.stop()
    process.exit(0)
  }
  dieWithParent(stop)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  let told = -1
  // One line when the number of devices online has changed, at most every ten seconds.
  setInterval(() => {
    const online = simulator.onlineCount()
    if (online === told) return
    told = online
    process.stdout.write(
      `simulator: ${online} of ${options.vehicles} vehicles online at ${options.host}:${options.port}\n`,
    )
  }, 10_000).unref()
}
