import { useSyncExternalStore } from 'react'

const phone = '(width < 640px)'

/** Whether the screen has room for cards only; `given` decides where somebody else has. */
export function usePhone(given?: boolean): boolean {
  return useMedia(phone, given)
}

const besidePanel = '(width >= 1200px)'

/** Whether a panel fits beside its list. */
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
