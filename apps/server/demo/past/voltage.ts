import { setTimeout as wait } from 'node:timers/promises'
import type { CurvePoint } from '@saddle/contract/fleet/batteryCurve.ts'
import type { VoltageTerms } from '@saddle/contract/production/voltageWords.ts'
import { callOf, everything, type DemoPerson } from '#demo/desk.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Production } from '#production/public.ts'

const phone = '13800138000'
/** The pack of the simulated devices: what its voltage says follows this curve. */
const measured: readonly CurvePoint[] = [
  { voltageV: 42, percent: 0 },
  { voltageV: 42.5, percent: 2 },
  { voltageV: 43, percent: 5 },
  { voltageV: 43.7, percent: 10 },
  { voltageV: 45.1, percent: 20 },
  { voltageV: 46.3, percent: 30 },
  { voltageV: 47.6, percent: 40 },
  { voltageV: 48.8, percent: 50 },
  { voltageV: 49.9, percent: 60 },
  { voltageV: 51.1, percent: 70 },
  { voltageV: 52.3, percent: 80 },
  { voltageV: 53.5, percent: 90 },
  { voltageV: 54.6, percent: 100 },
]
/** A draft that shows less below the middle, so that batteries are changed earlier. */
const cautious: readonly CurvePoint[] = [
  { voltageV: 42, percent: 0 },
  { voltageV: 44.4, percent: 10 },
  { voltageV: 46, percent: 20 },
  { voltageV: 47.2, percent: 30 },
  { voltageV: 48.2, percent: 40 },
  { voltageV: 49, percent: 50 },
  { voltageV: 51.1, percent: 70 },
  { voltageV: 54.6, percent: 100 },
]
const termsOf = (points: readonly CurvePoint[]): VoltageTerms => ({
  points: [...points],
  hysteresisPercent: 2,
  loadDropV: 0,
  chargeRiseV: 0,
  models: [{ model: 'SD-K1', protocol: 'mqtt' }],
})

type Deps = {
  readonly production: Pick<Production, 'handlers' | 'workReplays'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

/** A voltage scheme with a version in force, and a draft that was replayed; done once. */
export async function fillVoltage(deps: Deps): Promise<boolean> {
  const person = deps.people.get(phone)
  if (person === undefined) return false
  const call = callOf(person, phone, everything)
  const { handlers } = deps.production
  const { data: known } = await handlers.listVoltageSchemes({ filter: {}, sort: 'vehicles', pageSize: 1 }, call)
  if (known.list.length > 0) return false
  const pack = { id: null, name: '48V 13S 三元锂', cells: 13, note: '滑板车电池组，按厂家放电曲线' }
  const { data: scheme } = await handlers.saveVoltageScheme(pack, call)
  const first = await replayedDraft(deps, call, { schemeId: scheme.id, points: measured })
  const reason = '厂家放电曲线，回放后与车辆自报一致'
  await handlers.enforceVoltageVersion({ versionId: first, revision: 1, from: null, reason }, call)
  await replayedDraft(deps, call, { schemeId: scheme.id, points: cautious })
  return true
}

const triesMax = 120
const retryMs = 500

async function replayedDraft(
  { production }: Deps,
  call: SessionCall,
  { schemeId, points }: { readonly schemeId: number; readonly points: readonly CurvePoint[] },
): Promise<number> {
  const { handlers, workReplays } = production
  const { data } = await handlers.saveVoltageDraft({ schemeId, revision: 0, ...termsOf(points) }, call)
  const versionId = data.id
  await handlers.startVoltageReplay({ versionId, revision: 1 }, call)
  for (let tries = 0; tries < triesMax; tries += 1) {
    await workReplays()
    // The worker may have it in hand.
    if ((await handlers.voltageReplay({ versionId }, call)).data?.state === 'done') return versionId
    await wait(retryMs)
  }
  throw new Error('the replay of a voltage scheme did not end')
}
