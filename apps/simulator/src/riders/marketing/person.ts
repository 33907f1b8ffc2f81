import { demoRider, demoRiderPhone } from '@saddle/contract/demo/riders.ts'
import { childSeed, createRandom } from '#sim/random.ts'

/** What an application tells of the telephone that it runs on. */
export type Device = {
  readonly id: string
  readonly model: string
  readonly system: string
  readonly appVersion: string
}

/** A rider as marketing meets them: the same person for the same seed. */
export type Person = {
  readonly agentId: number
  /** Counted within the franchisee. */
  readonly rider: number
  readonly phone: string
  readonly device: Device
  /** The payment account, as the channel knows it. */
  readonly payer: string
  /** What they pay in when nothing is offered. */
  readonly usualRechargeCents: number
  /** How often they look at the app beside renting: 0 never, 1 with every ride. */
  readonly curiosity: number
  /** Accounts that they keep to earn rewards by themselves; empty for honest riders. */
  readonly accounts: readonly string[]
}

/** One rider in so many cheats; platforms that publish figures of fraud in invitations speak of some in a thousand. */
const cheaterEvery = 251
/** Accounts of a cheater beside the own one, all on one telephone and one payment account. */
const accountsOfCheater = 4
/** Behind all other numbers of a franchisee's riders. */
const firstAccount = 80_000

/** Small sums first: most wallets of shared vehicles hold less than 20 yuan. */
const rechargeSums = [1_000, 1_000, 2_000, 2_000, 2_000, 3_000, 5_000, 5_000, 10_000] as const
type Model = Pick<Device, 'model' | 'system'>
const models: readonly [Model, ...Model[]] = [
  { model: 'iPhone 17', system: 'iOS 26.1' },
  { model: 'HUAWEI Mate 80', system: 'HarmonyOS 6.0' },
  { model: 'Xiaomi 17', system: 'Android 16' },
  { model: 'Redmi Note 15', system: 'Android 15' },
  { model: 'vivo X300', system: 'Android 16' },
]
const versions = ['5.2.1', '5.2.0', '5.1.3'] as const

export function personOf(seed: number, agentId: number, rider: number): Person {
  const number = demoRider(agentId, rider)
  const random = createRandom(childSeed(seed, 80_000_000 + number))
  const device = { id: `telephone-${number}`, ...random.pick(models), appVersion: random.pick(versions) }
  const usualRechargeCents = random.pick(rechargeSums)
  const curiosity = random.between(0.15, 0.6)
  const cheater = rider % cheaterEvery === 7 ? Math.floor(rider / cheaterEvery) : null
  return {
    agentId,
    rider,
    phone: demoRiderPhone(number),
    device,
    payer: `payer-${number}`,
    usualRechargeCents,
    curiosity,
    accounts:
      cheater === null
        ? []
        : Array.from({ length: accountsOfCheater }, (_, index) =>
            demoRiderPhone(demoRider(agentId, firstAccount + cheater * accountsOfCheater + index)),
          ),
  }
}
