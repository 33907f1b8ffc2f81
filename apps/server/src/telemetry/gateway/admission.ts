import { addressBucket } from '#kit/address.ts'

/** Why a connection is closed before anything is read: its network is not allowed, or there are too many of its kind. */
export const refusals = ['network', 'full', 'unsigned', 'address'] as const
export type Refusal = (typeof refusals)[number]

export type Admission = {
  /** Admits a connection, or returns why not. */
  enter(address: string): Refusal | Ticket
}

/** The place of one connection. */
export type Ticket = {
  /** The device has signed in: the connection no longer counts as unsigned. */
  signedIn(): void
  left(): void
}

/** File descriptors kept free for the console, the riders' apps and the database: at most half, at most this many. */
const reserved = 1_024

/** How many connections a process may hold that may open this many files. */
export function lineBudget(options: { descriptors: number; most: number }): number {
  const { descriptors, most } = options
  return Math.min(most, descriptors - Math.min(reserved, Math.floor(descriptors / 2)))
}

/** Files that this process may have open at once. */
export function descriptorLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isInteger(soft) && soft > 0 ? soft : Number.MAX_SAFE_INTEGER
}

/**
 * Limits the connections of all listeners. Signing in is quick, so connections that have not signed in are limited in
 * total and per address. Signed-in connections are limited in total only, because a carrier may put all vehicles behind
 * one address.
 */
export function createAdmission(options: {
  isAllowed: (address: string) => boolean
  maxLines: number
  maxUnsigned: number
  maxUnsignedPerAddress: number
}): Admission {
  const { isAllowed, maxLines, maxUnsigned, maxUnsignedPerAddress } = options
  const byAddress = new Map<string, number>()
  let lines = 0
  let unsigned = 0

  const refusalOf = (address: string, bucket: string): Refusal | null => {
    if (!isAllowed(address)) return 'network'
    if (lines >= maxLines) return 'full'
    if ((byAddress.get(bucket) ?? 0) >= maxUnsignedPerAddress) return 'address'
    return unsigned >= maxUnsigned ? 'unsigned' : null
  }
  return {
    enter(address) {
      const bucket = addressBucket(address)
      const refusal = refusalOf(address, bucket)
      if (refusal !== null) return refusal
      lines += 1
      unsigned += 1
      byAddress.set(bucket, (byAddress.get(bucket) ?? 0) + 1)
      let isUnsigned = true
      let isOpen = true
      const signedIn = (): void => {
        if (!isUnsigned) return
        isUnsigned = false
        unsigned -= 1
        const left = (byAddress.get(bucket) ?? 1) - 1
        if (left === 0) byAddress.delete(bucket)
        else byAddress.set(bucket, left)
      }
      return {
        signedIn,
        left() {
          signedIn()
          if (isOpen) lines -= 1
          isOpen = false
        },
      }
    },
  }
}
