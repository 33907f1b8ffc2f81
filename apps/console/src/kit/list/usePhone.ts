import { useSyncExternalStore } from 'react'

const phone = '(width < 640px)'

/** Whether the screen is so small that rows are cards; `given` overrides it. */
export function usePhone(given?: boolean): boolean {
  return useMedia(phone, given)
}

const besidePanel = '(width >= 1200px)'

/** Whether the screen has room for a panel beside the list. */
export const useHasRoomBeside = (): boolean => useMedia(besidePanel)

function useMedia(query: string, given?: boolean): boolean {
  const found = useSyncExternalStore(
    (listener) => {
      const media = globalThis.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => globalThis.matchMedia(query).matches,
  )
  return given ?? found
}
