import { useEffect } from 'react'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { whenIdle } from '#kit/idle.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useTheme } from '#kit/theme/settings.ts'

const mapPath = '/vehicle/operation-map'
/** The page that was opened first comes before what may be opened next. */
const restMs = 1_000

/** Fetches what takes longest to open, the map, while nobody waits; not for those who may not see it or who save data. */
export function useMapAhead(): void {
  const { held } = usePermissions()
  const { appearance } = useTheme()
  const isWanted = isRoutePermitted(mapPath, held) && !savesData()
  useEffect(() => {
    if (!isWanted) return
    let stopIdle = (): void => {}
    const timer = setTimeout(() => {
      stopIdle = whenIdle(() => {
        // A failure is for the click, which tries again and says so.
        void import('#fleet/operation-map/ahead.ts').then(({ drawAhead }) => drawAhead(appearance)).catch(() => null)
      })
    }, restMs)
    return () => {
      clearTimeout(timer)
      stopIdle()
    }
  }, [isWanted, appearance])
}

/** Browsers that know no such wish save nothing. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true
}
