import { addressBucket } from '#kit/address.ts'

export const socketLimits = {
  total: 5_000,
  /** All people of a company may share one address. */
  perAddress: 1_000,
  /** Sockets that have not proved whose they are: few, so that they take no place of a person. */
  unproven: 1_000,
  unprovenPerAddress: 20,
  perPerson: 10,
} as const

export interface SocketPlace {
  /** The socket has proved whose it is; false when that person has too many. */
  admit(operatorId: number): boolean
  leave(): void
}

/** Counts open sockets by the network they come from and, once that is proved, by person. */
export function createSocketPlaces(): { take(address: string): SocketPlace | null } {
  const [all, unproven] = [createCounts<string>(), createCounts<string>()]
  const people = createCounts<number>()

  return {
    /** Null when there is none left for this address. */
    take: (address) => {
      const bucket = addressBucket(address)
      const isFull =
        all.total() >= socketLimits.total ||
        all.of(bucket) >= socketLimits.perAddress ||
        unproven.total() >= socketLimits.unproven ||
        unproven.of(bucket) >= socketLimits.unprovenPerAddress
      if (isFull) return null
      all.add(bucket)
      unproven.add(bucket)
      let holder: 'unproven' | 'gone' | number = 'unproven'
      return {
        admit: (operatorId) => {
          if (holder !== 'unproven' || people.of(operatorId) >= socketLimits.perPerson) return false
          holder = operatorId
          unproven.remove(bucket)
          people.add(operatorId)
          return true
        },
        leave: () => {
          if (holder === 'gone') return
          if (holder === 'unproven') unproven.remove(bucket)
          else people.remove(holder)
          all.remove(bucket)
          holder = 'gone'
        },
      }
    },
  }
}

/** How many of each key; a key without any takes no memory. */
function createCounts<K>() {
  const counts = new Map<K, number>()
  let total = 0
  const of = (key: K): number => counts.get(key) ?? 0
  return {
    of,
    total: () => total,
    add: (key: K): void => {
      counts.set(key, of(key) + 1)
      total += 1
    },
    remove: (key: K): void => {
      const left = of(key) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
      total -= 1
    },
  }
}
