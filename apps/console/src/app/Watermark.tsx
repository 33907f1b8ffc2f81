import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useBrand } from '#kit/branding.ts'
import { useSession } from '#kit/session/store.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { keepWatermark, watermarkText } from './watermark.ts'

const colours = { dark: 'rgba(255,255,255,.035)', light: 'rgba(20,30,50,.045)' } as const

/** Draws the watermark over every page except login (section 1), whichever layout the page has. */
export function Watermark(): null {
  const { pathname } = useLocation()
  const { webTitle } = useBrand()
  const session = useSession()
  const phone = session?.phone ?? ''
  const { appearance } = useTheme()
  const text = watermarkText({ webTitle, phone })
  // A wall shows sums that are meant to be seen, and belongs to nobody.
  const isWall = pathname === '/screen-login' || session?.screen !== undefined
  const isDrawn = pathname !== '/login' && !isWall
  useEffect(
    () => (isDrawn ? keepWatermark({ text, colour: colours[appearance] }) : undefined),
    [isDrawn, text, appearance],
  )
  return null
}
