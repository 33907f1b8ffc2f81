import { useEffect, useState, type ReactNode } from 'react'
import { screenSessionLifetimeMs, wallScreenEndpoints } from '@saddle/contract/identity/screens.ts'
import { secondMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { serverNow } from '#kit/clock.ts'
import { clientConfig } from '#kit/config.ts'
import { setLanguage, t, useLanguage } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { keepKeys } from '#kit/session/keys.ts'
import { startSession } from '#kit/session/store.ts'
import { QrCode } from '#kit/ui/QrCode.tsx'
import { pairingAddress } from './pairingLink.ts'
import { Stage } from './Stage.tsx'

const { beginScreenPairing, collectScreenSession } = wallScreenEndpoints
const askEveryMs = 3 * secondMs
const againAfterMs = 15 * secondMs

type Pairing = { readonly code: string; readonly expiresAt: number }

/** A code and its QR code, renewed when it expires, until staff have entered it. */
export function PairingScreen(): ReactNode {
  const [pairing, setPairing] = useState<Pairing | 'lost' | null>(null)
  const isEnglish = useLanguage() === 'en'
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (run: () => Promise<void>, ms: number): void => {
      if (!isOver) timer = setTimeout(() => void run(), ms)
    }
    const begin = async (): Promise<void> => {
      const answer = await call(beginScreenPairing, {}, { quiet: true }).catch(() => null)
      if (isOver) return
      setPairing(answer?.data ?? 'lost')
      later(answer === null ? begin : collect, answer === null ? againAfterMs : askEveryMs)
    }
    const collect = async (): Promise<void> => {
      const state = await collectOnce().catch(() => 'failed' as const)
      if (state === 'expired') later(begin, 0)
      else if (state !== 'paired') later(collect, askEveryMs)
    }
    void begin()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  return (
    <div className="wall-kiosk">
      <Stage label={t('大屏终端')}>
        <div className="wall-pairing">
          <h1>{t('大屏终端')}</h1>
          {pairing === null && <p>{t('正在获取配对码')}</p>}
          {pairing === 'lost' && <p role="alert">{t('无法连接平台，正在重试')}</p>}
          {pairing !== null && pairing !== 'lost' && <Code {...pairing} />}
          <Button look="quiet" onClick={() => void setLanguage(isEnglish ? 'zh' : 'en')}>
            {isEnglish ? '中文' : 'English'}
          </Button>
        </div>
      </Stage>
    </div>
  )
}

function Code({ code, expiresAt }: Pairing): ReactNode {
  const half = code.length / 2
  return (
    <>
      <p className="wall-code" aria-label={t('配对码')}>
        <b>{code.slice(0, half)}</b>
        <b>{code.slice(half)}</b>
      </p>
      <div className="wall-pairing-how">
        <QrCode text={pairingAddress(code)} label={t('扫码配对')} />
        <ol>
          <li>{t('用手机扫描二维码，或在电脑上打开“运营大屏”或“营收大屏”')}</li>
          <li>{t('点“大屏终端”，再点“配对大屏”，填入配对码')}</li>
          <li>{t('几秒后本屏自动开始显示')}</li>
        </ol>
      </div>
      <small>{t('配对码 {{time}} 前有效，到期自动更换', { time: timeText(expiresAt) })}</small>
    </>
  )
}

const timeText = (at: number): string =>
  new Date(at).toLocaleTimeString('zh-CN', {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZone: 'Asia/Shanghai',
  })

/** Asks once whether the code was entered; then this browser has a session with keys, for as long as the server keeps it. */
async function collectOnce(): Promise<'waiting' | 'expired' | 'paired'> {
  const { data } = await call(collectScreenSession, {}, { quiet: true })
  if (data.state !== 'paired') return data.state
  const { accessToken, objectId, agentId, name, pages } = data
  const { exchangeKeys } = await import('@saddle/client/login.ts')
  const keys = await exchangeKeys({
    client: { call: (endpoint, input) => call(endpoint, input, { quiet: true }) },
    serverKey: clientConfig().serverKey,
    sessionHandle: accessToken,
    issuedAtMs: serverNow(),
  })
  await keepKeys(accessToken, keys, screenSessionLifetimeMs)
  const identity = { accessToken, objectId, agentId, phone: '', roleId: null, opManId: '' }
  startSession({ ...identity, screen: { name, pages } }, screenSessionLifetimeMs)
  return 'paired'
}
