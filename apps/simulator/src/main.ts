import { dirname, join } from 'node:path'
import { demoVehicleLimit } from '@saddle/contract/demo/city.ts'
import { demoArtefactKeyFile } from '@saddle/contract/demo/artefacts.ts'
import { demoPicturesFile } from '@saddle/contract/demo/staff.ts'
import { demoCodesFile } from '@saddle/contract/demo/riders.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { citySeed } from '#sim/city/plan.ts'
import { createCodes, readArtefactKey, readDevices, readRecord, writeRecord } from '#sim/files.ts'
import { readOptions } from '#sim/options.ts'
import { createRiderApi } from '#sim/riders/api.ts'
import type { Counts } from '#sim/riders/deps.ts'
import type { MarketingCounts } from '#sim/riders/marketing/visitor.ts'
import { startSimulator } from '#sim/simulator.ts'
import { createStaffApi } from '#sim/staff/api.ts'
import type { StaffCounts } from '#sim/staff/shift.ts'

const gateways = deviceProtocols.map((protocol) => `--${protocol}=host:port`).join(' ')
const usage = `usage: simulator ${gateways} [--vehicles=2000] [--seed=${citySeed}]
                 [--speed=1] [--faults=0.2] [--devices=<file>] [--state=<file>]
                 [--api=<address> --riders=<file> [--staff=<folder>]]
  --vehicles  1 to ${demoVehicleLimit}
  --speed     how many times faster than the clock the city lives, 0.1 to 60
  --faults    0: nothing ever breaks, 1: a bad day
  --devices   the passwords that the platform gave its MQTT devices
  --api       where the platform answers riders' apps; without it nobody rides by app, and no order comes of a ride
  --riders    the key that the platform gave the riders' app; coupon codes for the street are in a file beside it
  --staff     the demo's data folder, whose messages let the people of the street log in; without it they work unseen
  --state     where the city's life is kept, to go on with it after a stop
`
const saveEveryMs = minuteMs

function sayCounts({ refused, ...counts }: Counts | MarketingCounts | StaffCounts): string {
  const said = [...Object.entries(counts), ...refused]
  return said.map(([what, times]) => `${what} ${times}`).join(', ')
}

/** The simulator ends with the process that started it, even if that process was killed. */
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
  const { state, devices, api: address, staff, ...rest } = options
  const api =
    address === undefined
      ? {}
      : { api: createRiderApi(address), codesOf: createCodes(join(dirname(address.keyFile), demoCodesFile)) }
  const staffApi =
    address === undefined || staff === undefined
      ? undefined
      : createStaffApi({
          url: address.url,
          outbox: join(staff, 'outbox', 'sms.jsonl'),
          sessions: join(staff, 'demo-staff.json'),
          pictures: join(staff, demoPicturesFile),
        })
  const from = state === undefined ? null : readRecord(state, options)
  const { passwords, firmware } = readDevices(devices)
  const artefactKey = devices === undefined ? null : readArtefactKey(join(dirname(devices), demoArtefactKeyFile))
  const simulator = startSimulator({
    ...rest,
    ...api,
    staffApi,
    passwords,
    firmware,
    artefactKey,
    ...(from ? { from } : {}),
  })
  const save = () => {
    if (state === undefined) return
    try {
      writeRecord(state, simulator.record())
    } catch (error) {
      process.stderr.write(`simulator: the city's life could not be kept: ${String(error)}\n`)
    }
  }
  if (state !== undefined) setInterval(save, saveEveryMs).unref()
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    simulator.stop()
    save()
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
    process.stdout.write(`simulator: ${online} of ${options.vehicles} vehicles online\n`)
  }, 10_000).unref()
  let toldRides = ''
  setInterval(() => {
    const { riders, staff: people } = simulator
    const told = [riders?.counts, riders?.marketing, people?.counts].flatMap((one) => (one ? [sayCounts(one)] : []))
    const line = told.join('; ')
    if (line === toldRides) return
    toldRides = line
    process.stdout.write(`simulator: ${line}\n`)
  }, 10 * minuteMs).unref()
}
