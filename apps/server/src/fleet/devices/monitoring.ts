import type { Monitoring } from '@saddle/contract/fleet/devices.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import type { MonitoringRow } from './store.ts'

const figures = { area: 1, battery: 2, signal: 3, heard: 4, protocol: 5, model: 6, firmware: 7 } as const
const heardWithinMinutes = [1, 10, 60, 1_440, null] as const
const batterySteps = 10
const signalStep = 8
const unknownName = '--'

/** The rows of one pass over the fleet, told apart by figure. */
export function monitoringOf(rows: readonly MonitoringRow[]): Monitoring {
  const of = (figure: number): MonitoringRow[] => rows.filter((row) => row.figure === figure)
  const areas = of(figures.area)
  const sum = (value: (row: MonitoringRow) => number): number => areas.reduce((total, row) => total + value(row), 0)
  const total = sum((row) => row.total)
  const online = sum((row) => row.online)
  const neverHeard = sum((row) => row.never)
  const rowAt = (figure: number, step: number) => of(figure).find((row) => row.step === step)
  const atStep = (figure: number, step: number): number => rowAt(figure, step)?.total ?? 0
  const tally = (figure: number) => of(figure).map((row) => ({ name: row.name ?? unknownName, count: row.total }))
  return {
    total,
    online,
    offline: sum((row) => row.offline),
    neverHeard,
    areas: areas.flatMap((row) =>
      row.area_id === null
        ? []
        : [
            {
              areaId: row.area_id,
              areaName: row.name ?? unknownName,
              total: row.total,
              online: row.online,
              lowBattery: row.low,
              batteryPercent: row.battery,
            },
          ],
    ),
    battery: Array.from({ length: batterySteps }, (_, step) => ({
      from: step * 10,
      count: atStep(figures.battery, step),
      low: rowAt(figures.battery, step)?.low ?? 0,
    })),
    signal: of(figures.signal).flatMap((row) =>
      row.step === null ? [] : [{ from: row.step * signalStep, count: row.total }],
    ),
    heard: heardWithinMinutes.map((withinMinutes, step) => ({ withinMinutes, count: atStep(figures.heard, step) })),
    protocols: deviceProtocols.map((protocol) => {
      const row = of(figures.protocol).find(({ name }) => name === protocol)
      return { protocol, total: row?.total ?? 0, online: row?.online ?? 0 }
    }),
    models: tally(figures.model),
    firmwares: tally(figures.firmware),
  }
}
