import type { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createFenceHandlers } from './fences/handlers.ts'

export type Geography = { readonly handlers: Handlers<typeof fenceEndpoints> }

/** Where riding and parking is allowed. */
export function createGeography(kit: Kit): Geography {
  return { handlers: createFenceHandlers(kit) }
}
