import { useCallback, useState } from 'react'
import { vehicleEndpoints, type NearVehicle } from '@saddle/contract/fleet/vehicles.ts'
import type { LatLng } from '@saddle/geo/earth.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { positionNow } from '#kit/map/position.ts'
import { notify } from '#kit/notify.ts'
import type { Picked } from './useSelection.ts'

/** The vehicles that wait for somebody, the nearest first, and the one of them that is looked at. */
export interface Round {
  readonly list: readonly NearVehicle[]
  readonly at: number
  /** Measured from where the person stands; otherwise from the middle of the map. */
  readonly isFromHere: boolean
}

export interface NearestState {
  readonly round: Round | null
  readonly isBusy: boolean
  /** Measures anew and goes to the nearest vehicle. */
  readonly start: () => void
  /** Goes to the next one; after the last one it measures anew. */
  readonly next: () => void
}

interface Options {
  readonly pickAndGo: (picked: Picked) => void
  /** The middle of the map, for a browser that does not tell where it is. */
  readonly middle: () => LatLng
}

/** Leads from the map to the nearest vehicle that needs work, and on to the next. */
export function useNearest({ pickAndGo, middle }: Options): NearestState {
  const [round, setRound] = useState<Round | null>(null)
  const [isBusy, setBusy] = useState(false)
  const find = useCallback(async () => {
    setBusy(true)
    try {
      const here = await positionNow()
      const { lat, lng } = here ?? middle()
      const { list } = (await call(vehicleEndpoints.nearestWork, { lat, lng }, { quiet: true })).data
      const [first] = list
      setRound(first === undefined ? null : { list, at: 0, isFromHere: here !== null })
      if (first === undefined) notify.info({ text: t('范围内没有待处理的车辆') })
      else pickAndGo({ id: first.id })
    } catch (error) {
      notify.error({ text: isApiError(error) ? t(error.promot) : t('查找失败，请重试') })
    } finally {
      setBusy(false)
    }
  }, [pickAndGo, middle])
  const start = useCallback(() => void find(), [find])
  const next = (): void => {
    const following = round?.list[round.at + 1]
    if (round === null || following === undefined) return start()
    setRound({ ...round, at: round.at + 1 })
    pickAndGo({ id: following.id })
  }
  return { round, isBusy, start, next }
}
