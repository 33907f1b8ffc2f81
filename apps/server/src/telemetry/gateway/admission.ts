import { addressBucket } from '#kit/address.ts'

/** Why a line is cut before a word is read: its network is not allowed, or there are too many lines of this kind. */
export const refusals = ['network', 'full', 'unsigned', 'address'] as const
export type Refusal = (typeof refusals)[number]

export type Admission = {
  /** Takes in a line, or says why not. */
  enter(address: string): Refusal | Ticket
}

/** Of one line. */
export type Ticket = {
  /** It is a vehicle's now and counts as a stranger's no more. */
  signedIn(): void
  left(): void
}

/** Descriptors that stay free for the console, the riders' apps and the database: half of few, this many of many. */
const reserved = 1_024

/** How many lines a process may hold that may open so many files. */
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
 * Counts the lines of all listeners. Signing in takes a healthy vehicle a moment, so lines that have not are few, and
 * those of one address fewer; vehicles that have signed in are bounded by the whole alone, since a carrier may put all
 * of them behind one address.
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
