import { useEffect, useState, type ReactNode } from 'react'
import type { ScreenPage } from '@saddle/contract/reports/screens.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { endSession, useSession } from '#kit/session/store.ts'
import { PairingScreen } from './PairingScreen.tsx'
import { useTurn } from './useTurn.ts'
import { Wall } from './Wall.tsx'

/** A wall with both pages shows each for so long. */
const pageTurnMs = minuteMs

/** The browser of a wall: a code until staff have entered it, then the screens, without anything around them. */
export default function KioskPage(): ReactNode {
  const session = useSession()
  useAwake()
  if (session === null) return <PairingScreen />
  if (session.screen === undefined) return <PersonHere />
  return <Paired pages={session.screen.pages} />
}

function Paired({ pages }: { readonly pages: readonly ScreenPage[] }): ReactNode {
  const page = pages[useTurn(pages.length, pageTurnMs)]
  // Removed, or its person has lost the right: a code is shown again.
  return (
    <div className="wall-kiosk">{page !== undefined && <Wall page={page} areaIds={null} onEnded={endSession} />}</div>
  )
}

/** Pairing would end the person's session in this browser. */
function PersonHere(): ReactNode {
  return (
    <div className="wall-kiosk wall-pairing">
      <p>{t('此浏览器已有人员登录。请先退出登录，或使用大屏专用的浏览器打开本页。')}</p>
      <ButtonLink to="/" look="primary">
        {t('返回首页')}
      </ButtonLink>
    </div>
  )
}

/** Asks the system not to switch the display off; a browser that cannot, does not. */
function useAwake(): void {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    const look = (): void => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useEffect(() => {
    if (!isVisible || !('wakeLock' in navigator)) return
    const lock = navigator.wakeLock.request('screen').catch(() => null)
    return () => void lock.then((held) => held?.release())
  }, [isVisible])
}
