import type { VehicleForm } from '@saddle/contract/feeds/publication.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'

/** A vehicle that is not on a trip, under the id that the public knows it by until its next one. */
export interface PublicVehicle {
  readonly publicId: string
  readonly model: string
  readonly state: 'available' | 'reserved' | 'non_operational'
  readonly lat: number
  readonly lng: number
  readonly batteryPercent: number | null
  readonly heardAt: number | null
}

/** All that the feeds of one area are made of, as it was at one moment. */
export interface GbfsFacts {
  readonly at: number
  readonly areaId: number
  readonly areaName: string
  readonly company: string
  readonly contactEmail: string
  readonly vehicles: readonly PublicVehicle[]
  /** By model. */
  readonly forms: ReadonlyMap<string, VehicleForm>
  readonly fences: readonly Fence[]
  readonly price: { readonly id: number; readonly name: string; readonly rules: PriceRules } | null
  readonly reserveMinutes: number
  /** Of the platform, without a slash at the end. */
  readonly base: string
}
