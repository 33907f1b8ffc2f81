import { useSyncExternalStore } from 'react'
import { deviceOf, type Device } from './device.ts'

/** The kind of device by the window's width, anew when the window changes. */
export function useDevice(): Device {
  return useSyncExternalStore(watchWidth, () => deviceOf(window.innerWidth))
}

function watchWidth(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  return () => window.removeEventListener('resize', changed)
}
