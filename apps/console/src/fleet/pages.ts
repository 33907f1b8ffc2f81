import type { PageMap } from '#kit/pages.ts'

export const fleetPages = {} satisfies PageMap
